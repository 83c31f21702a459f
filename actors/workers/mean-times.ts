/** Measured mean durations of each kind of work, to estimate the duration of the waiting work. @module */
import { bitLength } from '../../crypto/bytes.ts'

/** The mean before the first measurement: about the duration of a proof under a key of 2048 bits on a slow machine. */
const FIRST_GUESS_MS = 10
/** The weight of each measurement: the last few dozen determine the mean. */
const WEIGHT = 1 / 16
/** A longer measurement counts as this long, because the machine was probably suspended meanwhile. */
const LONGEST_MS = 1_000

export class MeanTimes {
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

/** The kind of a piece: work of one kind takes about the same time.
 *  @param n modulus of its key */
export function workKind(name: string, n: bigint): string {
  return `${name} ${bitLength(n)}`
}
