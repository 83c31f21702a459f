/** Primes that idle threads find before a signature needs them. Each prime is handed out once: two signatures with the same e reveal a third one. @module */
import { bitLength } from '../../crypto/bytes.ts'

/** The primes that are kept for each key length, unless an option says otherwise. */
export const USUAL_PRIMES = 32

/** The source of the primes for signatures. */
export interface PrimeSupply {
  /** A prime for a key with this modulus, for one signature.
   *  @returns null if there is none: the caller must find one */
  take(n: bigint): bigint | null
  /** Must be called after each piece of work. */
  fill(): Promise<void>
}

type PrimesOfModulus = { readonly n: bigint; readonly primes: bigint[] }

export type PrimesDeps = {
  /** a fresh prime for a key with this modulus */
  readonly find: (n: bigint) => Promise<bigint>
  readonly isIdle: () => boolean
  /** the most that are kept for each key length */
  readonly most: number
}

export class Primes implements PrimeSupply {
  readonly #deps: PrimesDeps
  /** by length of the modulus, from the first use of that length */
  readonly #kept = new Map<number, PrimesOfModulus>()
  #isFilling = false

  constructor(deps: PrimesDeps) {
    this.#deps = deps
  }

  take(n: bigint): bigint | null {
    return this.#of(n).primes.shift() ?? null
  }

  /** Finds one prime after another until there are enough, or until other work arrives. A failure ends this until the next call; no caller waits for these
   *  primes. */
  async fill(): Promise<void> {
    if (this.#isFilling) return
    this.#isFilling = true
    try {
      for (let least = this.#least(); least !== null && this.#deps.isIdle(); least = this.#least())
        least.primes.push(await this.#deps.find(least.n))
    } catch {
      // a signature without a spare prime searches for one itself, and then reports such a failure
    } finally {
      this.#isFilling = false
    }
  }

  /** @returns the key length with the fewest primes; null: all lengths in use have enough */
  #least(): PrimesOfModulus | null {
    const [least] = [...this.#kept.values()].sort((a, b) => a.primes.length - b.primes.length)
    return least && least.primes.length < this.#deps.most ? least : null
  }

  #of(n: bigint): PrimesOfModulus {
    const length = bitLength(n)
    const kept = this.#kept.get(length) ?? { n, primes: [] }
    this.#kept.set(length, kept)
    return kept
  }
}
