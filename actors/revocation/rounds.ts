/** Periodic work, one round at a time. A failure is reported, and the next round follows nevertheless. @module */
import type { Clock, Timer } from '../../ports/clock.ts'

export class Rounds {
  readonly #clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  readonly #timers = new Set<Timer>()
  readonly #running = new Set<Promise<void>>()
  #isClosed = false

  constructor(clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>) {
    this.#clock = clock
  }

  /** @param ms between the end of a round and the start of the next
   *  @param firstMs before the first round */
  every(ms: number, work: () => Promise<void>, report: (error: unknown) => void, firstMs = ms): void {
    if (this.#isClosed) return
    const timer = this.#clock.setTimeout(() => {
      this.#timers.delete(timer)
      const round = work()
        .catch(report)
        .finally(() => {
          this.#running.delete(round)
          this.every(ms, work, report)
        })
      this.#running.add(round)
    }, firstMs)
    this.#timers.add(timer)
  }

  /** Waits for the rounds in progress. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers) this.#clock.clearTimeout(timer)
    await Promise.all(this.#running)
  }
}
