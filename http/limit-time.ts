/** Time limits on the waits of a call (spec/decisions#time). After the limit the caller gets 503, but the work continues and may still commit. @module */
import type { Clock } from '../ports/clock.ts'
import type { LoopWatch } from '../ports/loop-watch.ts'
import { UnavailableError } from '../protocol/errors.ts'

/** @throws {UnavailableError} with `what` in its message once `ms` have passed */
export function within<T>(clock: Clock, ms: number, what: string, work: Promise<T>): Promise<T> {
  return settledWithin(clock, ms, () => late(what, ms), work)
}

/** As `within`, counted from the arrival of the call. If the event loop is late, a part of the time has elapsed before the work begins.
 *  @param arrivedAt by the clock
 *  @throws {UnavailableError} also if no time is left: the work does not begin then */
export async function withinSince<T>(
  clock: Clock,
  arrivedAt: number,
  ms: number,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const leftMs = requireTime(clock, arrivedAt, ms, what)
  return settledWithin(clock, leftMs, () => late(what, ms), work())
}

/** @returns the time that is left of `ms`
 *  @throws {UnavailableError} if none is */
export function requireTime(clock: Pick<Clock, 'now'>, arrivedAt: number, ms: number, what: string): number {
  const leftMs = arrivedAt + ms - clock.now()
  if (leftMs <= 0) throw late(what, ms)
  return leftMs
}

/** @returns the earliest time at which a call that is handed over now can have arrived. All calls of one turn of the event loop arrived before the turn
 *  began. If the loop was late, they may have arrived at any time during the delay.
 *  @param loop left out: only the turn counts */
export function arrivals(clock: Pick<Clock, 'now'>, loop?: Pick<LoopWatch, 'lateMs'>): () => number {
  let beganAt: number | null = null
  return () => {
    if (beganAt === null) {
      beganAt = clock.now() - (loop?.lateMs() ?? 0)
      setImmediate(() => {
        beganAt = null
      })
    }
    return beganAt
  }
}

function late(what: string, ms: number): UnavailableError {
  return new UnavailableError(`${what}: not within ${ms} ms`)
}

function settledWithin<T>(
  clock: Clock,
  ms: number,
  lateError: () => UnavailableError,
  work: Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(lateError()), ms)
    const settle =
      <Outcome>(settled: (outcome: Outcome) => void) =>
      (outcome: Outcome): void => {
        clock.clearTimeout(timer)
        settled(outcome)
      }
    work.then(settle(resolve), settle(reject))
  })
}
