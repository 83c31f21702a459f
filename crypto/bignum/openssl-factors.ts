/** Products of powers by the secret factors of a modulus, with OpenSSL. What is prepared of each pair of factors stays in C memory as
 *  long as the pair is among those that were used last, and is overwritten then. @module */
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

/** The most pairs of factors that stay prepared: more than a server has private keys. */
const MAX_PAIRS = 64

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
    this.modulus = lib.newNumber()
    lib.write(this.modulus, value)
    lib.markSecret(this.modulus)
    this.mont = lib.newMontgomery(this.modulus, ctx)
  }

  /** A power to be calculated. */
  power(number: (x: bigint) => Address, base: bigint, exponent: bigint): ModularPower {
    const power = { result: number(0n), base: number(base % this.#value), exponent: number(exponent) }
    this.#lib.markSecret(power.exponent)
    return { ...power, modulus: this.modulus, mont: this.mont }
  }

  /** product = product * factor, neither in Montgomery form; factor is lost. */
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

type Prepared = {
  readonly factors: Halves
  readonly p: Factor
  readonly q: Factor
  readonly inverseQ: bigint
}

export class ProductsByFactors {
  readonly #lib: Libcrypto
  readonly #ctx: Address
  readonly #pairs = new LRUCache<bigint, Prepared>({
    max: MAX_PAIRS,
    dispose: ({ p, q }) => {
      p.close()
      q.close()
    },
  })

  constructor(lib: Libcrypto, ctx: Address) {
    this.#lib = lib
    this.#ctx = ctx
  }

  of(powers: readonly PowerByFactors[], factors: Halves): bigint {
    const { p, q, inverseQ } = this.#prepare(factors)
    return withNumbers(this.#lib, number => {
      const product = { p: number(1n), q: number(1n) }
      for (const { base, exponent } of powers) {
        const [modP, modQ] = [p.power(number, base, exponent.p), q.power(number, base, exponent.q)]
        this.#lib.secretPowers(modP, modQ, this.#ctx)
        p.multiplyInto(product.p, modP.result)
        q.multiplyInto(product.q, modQ.result)
      }
      return joinHalves({ p: p.read(product.p), q: q.read(product.q) }, factors, inverseQ)
    })
  }

  #prepare(factors: Halves): Prepared {
    const { p, q } = factors
    const known = this.#pairs.get(p)
    if (known?.factors.q === q) return known
    const inverseQ = invert(this.#lib, this.#ctx, q % p, p, { isSecret: true })
    if (inverseQ === undefined)
      throw new RangeError('factors of a modulus: expected two without a common divisor')
    const factor = (value: bigint): Factor => new Factor(this.#lib, this.#ctx, value)
    const prepared = { factors, p: factor(p), q: factor(q), inverseQ }
    this.#pairs.set(p, prepared)
    return prepared
  }
}
