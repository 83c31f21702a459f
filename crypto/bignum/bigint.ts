/** Arithmetic with BigInt only: for platforms without the OpenSSL functions, and as the reference that the other backend is tested against. It is slower by an
 *  order of magnitude and keeps only the inverse of Z between calls. BigInt has no constant time. @module */
import { bitLength } from '../bytes.ts'
import type { IssuerPublicKey } from '../public-key.ts'
import type { Arithmetic, Halves, KeyPowers, Power, PowerByFactors } from './arithmetic.ts'
import { Chain, windowWidth } from './chain.ts'
import { joinHalves } from './halves.ts'
import { listedPowers } from './listed-powers.ts'

const SECRET_WINDOW = 4

/** Calculates odd powers of the base, and plans them into the chain by their index in `factors`. */
function addPower(chain: Chain, { base, exponent }: Power, modulus: bigint, factors: bigint[]): void {
  const bits = bitLength(exponent)
  const width = windowWidth(bits)
  const square = (base * base) % modulus
  const first = factors.length
  factors.push(base % modulus)
  for (let i = 1; i < 2 ** (width - 1); i++) factors.push(((factors[first + i - 1] ?? 0n) * square) % modulus)
  chain.addPower(exponent, { rows: 1, rowBits: bits, width }, first, 1)
}

function product(powers: readonly Power[], modulus: bigint): bigint {
  const chain = new Chain()
  const factors: bigint[] = []
  for (const power of powers) addPower(chain, power, modulus, factors)
  let result = 1n % modulus
  const square = (): void => {
    result = (result * result) % modulus
  }
  chain.run(square, name => {
    result = (result * (factors[name] ?? 0n)) % modulus
  })
  return result
}

/** Extended Euclid. */
function inverse(x: bigint, modulus: bigint): bigint | undefined {
  let [previous, rest] = [modulus, x % modulus]
  let [before, factor] = [0n, 1n]
  while (rest !== 0n) {
    const quotient = previous / rest
    ;[previous, rest] = [rest, previous - quotient * rest]
    ;[before, factor] = [factor, before - quotient * factor]
  }
  if (previous !== 1n) return undefined
  return before < 0n ? before + modulus : before
}

/** Fixed windows: the same squarings and multiplications for all exponents of one length. */
function secretPower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  if (exponent < 0n) throw new RangeError('exponent: expected a non-negative integer')
  const powers = [1n % modulus]
  for (let i = 1; i < 2 ** SECRET_WINDOW; i++) powers.push(((powers[i - 1] ?? 0n) * base) % modulus)
  let result = 1n % modulus
  for (const digit of exponent.toString(2 ** SECRET_WINDOW)) {
    for (let i = 0; i < SECRET_WINDOW; i++) result = (result * result) % modulus
    result = (result * (powers[Number.parseInt(digit, 2 ** SECRET_WINDOW)] ?? 0n)) % modulus
  }
  return result
}

function secretProductByFactors(powers: readonly PowerByFactors[], { p, q }: Halves): bigint {
  const inverseQ = inverse(q, p)
  if (inverseQ === undefined)
    throw new RangeError('factors of a modulus: expected two without a common divisor')
  let [modP, modQ] = [1n, 1n]
  for (const { base, exponent } of powers) {
    modP = (modP * secretPower(base % p, exponent.p, p)) % p
    modQ = (modQ * secretPower(base % q, exponent.q, q)) % q
  }
  return joinHalves({ p: modP, q: modQ }, { p, q }, inverseQ)
}

const inversesOfZ = new WeakMap<IssuerPublicKey, bigint>()

function inverseOfZ(key: IssuerPublicKey): bigint {
  const known = inversesOfZ.get(key) ?? inverse(key.Z, key.n)
  if (known === undefined) throw new RangeError('issuer key: expected a Z that has an inverse modulo n')
  inversesOfZ.set(key, known)
  return known
}

function keyProduct(key: IssuerPublicKey, { inverseZ, ...others }: KeyPowers): bigint {
  const powers = listedPowers(key, others)
  const all = inverseZ === undefined ? powers : [...powers, { base: inverseOfZ(key), exponent: inverseZ }]
  return product(all, key.n)
}

export const bigintArithmetic: Arithmetic = {
  name: 'bigint',
  isFasterOnNode24: false,
  keyProduct,
  power: (base, exponent, modulus) => product([{ base, exponent }], modulus),
  secretPower,
  secretProductByFactors,
  inverse,
  share: key => ({ key }),
  tablesOf: () => undefined,
  adopt: shared => shared.key,
}
