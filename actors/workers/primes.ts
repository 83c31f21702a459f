/** Primes that are found before a signature needs one, while there is nothing else to do. Each leaves once: two signatures with one e give a third
 *  one away. @module */
import { bitLength } from '../../crypto/bytes.ts'

/** The primes that are kept of each key length unless an option says otherwise. */
export const USUAL_PRIMES = 32

/** Where the primes of signatures come from. */
export interface PrimeSupply {
  /** A prime for a key with this modulus, for one signature.
   *  @returns null: there is none, find one */
  take(n: bigint): bigint | null
  /** To be called when work is done. */
  fill(): Promise<void>
}

type Kept = { readonly n: bigint; readonly primes: bigint[] }

export type PrimesDeps = {
  /** a fresh prime for a key with this modulus */
  readonly find: (n: bigint) => Promise<bigint>
  readonly isIdle: () => boolean
  /** the most that are kept of each key length */
  readonly most: number
}

export class Primes implements PrimeSupply {
  readonly #deps: PrimesDeps
  /** by the length of the modulus, from the first need on */
  readonly #kept = new Map<number, Kept>()
  #isFilling = false

  constructor(deps: PrimesDeps) {
    this.#deps = deps
  }

  take(n: bigint): bigint | null {
    return this.#of(n).primes.shift() ?? null
  }

  /** Finds one prime after the other until there are enough, or there is work again. A failure ends it until
   *  the next call; nobody waits for these primes. */
  async fill(): Promise<void> {
    if (this.#isFilling) return
    this.#isFilling = true
    try {
      for (let least = this.#least(); least !== null && this.#deps.isIdle(); least = this.#least())
        least.primes.push(await this.#deps.find(least.n))
    } catch {
      // whoever needs a prime that is missing has it found, and hears of it if that fails
    } finally {
      this.#isFilling = false
    }
  }

  /** @returns what there is fewest of; null: there are enough of all that were needed so far */
  #least(): Kept | null {
    const [least] = [...this.#kept.values()].sort((a, b) => a.primes.length - b.primes.length)
    return least && least.primes.length < this.#deps.most ? least : null
  }

  #of(n: bigint): Kept {
    const length = bitLength(n)
    const kept = this.#kept.get(length) ?? { n, primes: [] }
    this.#kept.set(length, kept)
    return kept
  }
}
