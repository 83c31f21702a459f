/** A bound on how often something may happen per name. The counts are in the memory of this node: a restart forgets them, and each node has its own. @module */
import type { Clock } from '../../ports/clock.ts'
import { recentEntries } from '../../ports/recent-entries.ts'

export type Rate = {
  /** the maximum number at once. The same number is restored within `windowMs`, evenly. 0: no bound */
  readonly most: number
  readonly windowMs: number
}

/** The most names that are remembered. Beyond it, the name that was used least recently is forgotten. */
const MAX_NAMES = 20_000

/** Only one number per name is stored: the time at which its whole allowance is back (the generic cell rate algorithm). */
export class RateBound {
  readonly #restoredAt = recentEntries<string, number>(MAX_NAMES)
  readonly #rate: Rate
  readonly #clock: Pick<Clock, 'now'>

  constructor(rate: Rate, clock: Pick<Clock, 'now'>) {
    this.#rate = rate
    this.#clock = clock
  }

  /** Counts one more.
   *  @returns 0 if it is within the bound; else the ms until it would be, and nothing is counted */
  take(name: string): number {
    const waitMs = this.waitMs(name)
    if (waitMs === 0 && this.#rate.most > 0) this.#restoredAt.set(name, this.#restoredAfter(name))
    return waitMs
  }

  /** @returns as `take`; counts nothing */
  waitMs(name: string): number {
    const { most, windowMs } = this.#rate
    if (most === 0) return 0
    const excessMs = this.#restoredAfter(name) - this.#clock.now() - windowMs
    // tolerates half a step, because the sum of the steps has rounding errors
    return excessMs > windowMs / most / 2 ? excessMs : 0
  }

  #restoredAfter(name: string): number {
    const { most, windowMs } = this.#rate
    const now = this.#clock.now()
    return Math.max(this.#restoredAt.get(name) ?? now, now) + windowMs / most
  }
}
