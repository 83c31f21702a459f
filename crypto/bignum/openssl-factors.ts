/** Products of powers by the secret factors of a modulus, with OpenSSL. Prepared numbers of a pair of factors stay in C memory while the pair is among the most
 *  recently used ones. They are overwritten when it is evicted. @module */
import { LRUCache } from 'lru-cache'
import type { Halves, PowerByFactors } from './arithmetic.ts'
import { joinHalves } from './halves.ts'
import {
  type Address,
  byteLength,
  invert,
  type Libcrypto,
  type ModularPower,
  withNumbers,
} from './libcrypto.ts'

/** The most pairs of factors that stay prepared: more than the private keys of a server. */
const MAX_PAIRS = 64
/** The most bases of a pair that stay prepared: as many as an issuer key with many bases has. */
const MAX_FIXED = 64

/** The caller frees it. */
function keptNumber(lib: Libcrypto, x: bigint): Address {
  const address = lib.newNumber()
  lib.write(address, x)
  return address
}

class Factor {
  readonly #lib: Libcrypto
  readonly #ctx: Address
  readonly #value: bigint
  readonly modulus: Address
  readonly mont: Address

  constructor(lib: Libcrypto, ctx: Address, value: bigint) {
    this.#lib = lib
    this.#ctx = ctx
    this.#value = value
    this.modulus = keptNumber(lib, value)
    lib.markSecret(this.modulus)
    this.mont = lib.newMontgomery(this.modulus, ctx)
  }

  rest(base: bigint): bigint {
    return base % this.#value
  }

  /** product = product * factor, neither in Montgomery form. Overwrites factor. */
  multiplyInto(product: Address, factor: Address): void {
    this.#lib.toMontgomery(factor, factor, this.mont, this.#ctx)
    this.#lib.multiply(product, product, factor, this.mont, this.#ctx)
  }

  read(from: Address): bigint {
    return this.#lib.read(from, byteLength(this.#value))
  }

  close(): void {
    this.#lib.freeMontgomery(this.mont)
    this.#lib.freeNumber(this.modulus)
  }
}

/** One number for each factor. */
type Addresses = { readonly p: Address; readonly q: Address }
type NewNumber = (x: bigint) => Address

class Pair {
  readonly #lib: Libcrypto
  readonly #ctx: Address
  readonly #p: Factor
  readonly #q: Factor
  readonly #inverseQ: bigint
  readonly #fixed: LRUCache<bigint, Addresses>
  readonly factors: Halves

  /** @throws {RangeError} for factors with a common divisor */
  constructor(lib: Libcrypto, ctx: Address, factors: Halves) {
    const { p, q } = factors
    const inverseQ = invert(lib, ctx, q % p, p, { isSecret: true })
    if (inverseQ === undefined)
      throw new RangeError('factors of a modulus: expected two without a common divisor')
    this.#lib = lib
    this.#ctx = ctx
    this.factors = factors
    this.#inverseQ = inverseQ
    this.#p = new Factor(lib, ctx, p)
    this.#q = new Factor(lib, ctx, q)
    const dispose = (rests: Addresses): void => [rests.p, rests.q].forEach(lib.freeNumber)
    this.#fixed = new LRUCache({ max: MAX_FIXED, dispose })
  }

  productOf(powers: readonly PowerByFactors[]): bigint {
    return withNumbers(this.#lib, number => {
      const product = { p: number(1n), q: number(1n) }
      const factor = { p: number(0n), q: number(0n) }
      for (const [i, power] of powers.entries()) {
        this.#raise(i === 0 ? product : factor, power, number)
        if (i === 0) continue
        this.#p.multiplyInto(product.p, factor.p)
        this.#q.multiplyInto(product.q, factor.q)
      }
      return joinHalves(
        { p: this.#p.read(product.p), q: this.#q.read(product.q) },
        this.factors,
        this.#inverseQ,
      )
    })
  }

  close(): void {
    this.#fixed.clear()
    this.#p.close()
    this.#q.close()
  }

  #raise(result: Addresses, { base, exponent, isFixed }: PowerByFactors, number: NewNumber): void {
    const rests = isFixed ? this.#fixedRests(base) : this.#rests(base, number)
    const exponents = this.#exponents(exponent, number)
    const of = (factor: Factor, half: 'p' | 'q'): ModularPower => {
      const { modulus, mont } = factor
      return { result: result[half], base: rests[half], exponent: exponents[half], modulus, mont }
    }
    this.#lib.secretPowers(of(this.#p, 'p'), of(this.#q, 'q'), this.#ctx)
  }

  #exponents({ p, q }: Halves, number: NewNumber): Addresses {
    const secret = (exponent: bigint): Address => {
      const address = number(exponent)
      this.#lib.markSecret(address)
      return address
    }
    const ofP = secret(p)
    return { p: ofP, q: p === q ? ofP : secret(q) }
  }

  #fixedRests(base: bigint): Addresses {
    const known = this.#fixed.get(base)
    if (known !== undefined) return known
    const rests = this.#rests(base, x => keptNumber(this.#lib, x))
    this.#fixed.set(base, rests)
    return rests
  }

  #rests(base: bigint, number: NewNumber): Addresses {
    return { p: number(this.#p.rest(base)), q: number(this.#q.rest(base)) }
  }
}

export class ProductsByFactors {
  readonly #lib: Libcrypto
  readonly #ctx: Address
  readonly #pairs = new LRUCache<bigint, Pair>({ max: MAX_PAIRS, dispose: pair => pair.close() })

  constructor(lib: Libcrypto, ctx: Address) {
    this.#lib = lib
    this.#ctx = ctx
  }

  of(powers: readonly PowerByFactors[], factors: Halves): bigint {
    return this.#pairOf(factors).productOf(powers)
  }

  #pairOf(factors: Halves): Pair {
    const known = this.#pairs.get(factors.p)
    if (known?.factors.q === factors.q) return known
    const pair = new Pair(this.#lib, this.#ctx, factors)
    this.#pairs.set(factors.p, pair)
    return pair
  }
}
