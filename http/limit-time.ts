/** Bounds of time on what a call waits for (decisions: `time`). Past one the answer is 503; the work itself goes on and may still commit.
 *  @module */
import type { Clock } from '../ports/clock.ts'
import { Unavailable } from '../protocol/errors.ts'

/** @throws {Unavailable} with `what` in its message once `ms` have passed */
export function within<T>(clock: Clock, ms: number, what: string, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(new Unavailable(`${what}: not within ${ms} ms`)), ms)
    const settle =
      <Outcome>(settled: (outcome: Outcome) => void) =>
      (outcome: Outcome): void => {
        clock.clearTimeout(timer)
        settled(outcome)
      }
    work.then(settle(resolve), settle(reject))
  })
}
