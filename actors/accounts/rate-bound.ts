/** A bound on how often something may happen per name. The counts are in the memory of this node: a restart forgets them, and each node has its own. @module */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../ports/clock.ts'

export type Rate = {
  /** as many at once, and as many again within `windowMs`, evenly; 0: no bound */
  readonly most: number
  readonly windowMs: number
}

/** The most names that are remembered. Beyond it, the name that was used least recently is forgotten. */
const MAX_NAMES = 20_000

/** Only one number per name is stored: the time at which its whole allowance is back (the generic cell rate algorithm). */
export class RateBound {
  readonly #restoredAt = new LRUCache<string, number>({ max: MAX_NAMES })
  readonly #rate: Rate
  readonly #clock: Pick<Clock, 'now'>

  constructor(rate: Rate, clock: Pick<Clock, 'now'>) {
    this.#rate = rate
    this.#clock = clock
  }

  /** Counts one more.
   *  @returns 0 if it is within the bound; else the ms until it would be, and nothing is counted */
  take(name: string): number {
    const { most, windowMs } = this.#rate
    if (most === 0) return 0
    const now = this.#clock.now()
    const stepMs = windowMs / most
    const restoredAt = Math.max(this.#restoredAt.get(name) ?? now, now) + stepMs
    const excessMs = restoredAt - now - windowMs
    // half a step: the sum of the steps is not exact
    if (excessMs > stepMs / 2) return excessMs
    this.#restoredAt.set(name, restoredAt)
    return 0
  }
}
