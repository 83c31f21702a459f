/** How long work of each kind takes, as it was measured: so that what waits can be counted in time. @module */
import { bitLength } from '../../crypto/bytes.ts'

/** The mean until something was measured: about what a proof under a key of 2048 bits takes on a slow machine. */
const FIRST_GUESS_MS = 10
/** The weight of each measurement: what counts are the last few dozen. */
const WEIGHT = 1 / 16
/** A piece that took longer says that the machine stood still, not what the work costs. */
const LONGEST_MS = 1_000

export class Means {
  /** by kind of work and size of its key */
  readonly #means = new Map<string, number>()

  of(kind: string): number {
    return this.#means.get(kind) ?? FIRST_GUESS_MS
  }

  note(kind: string, ms: number): void {
    const mean = this.of(kind)
    const measured = Math.min(Math.max(ms, 0), LONGEST_MS)
    this.#means.set(kind, mean + (measured - mean) * WEIGHT)
  }
}

/** Work that takes about the same time.
 *  @param n modulus of its key */
export function workKind(name: string, n: bigint): string {
  return `${name} ${bitLength(n)}`
}
