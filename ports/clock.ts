/** Time as an argument: two readings, timers, and pauses. @module */

/** What `setTimeout` gives and `clearTimeout` takes. */
export type Timer = object

export interface Clock {
  /** Unix ms as this process counts them: read from the system once, at its start, and counted since then by a clock that nobody can set. Waits,
   *  leases, deadlines and what is stored of them are in this time. */
  now(): number
  /** Unix ms by the clock of the system, which may be set at any moment: for what others have written, or will read. */
  wallNow(): number
  /** @param ms at most 2^31 - 1 */
  setTimeout(callback: () => void, ms: number): Timer
  clearTimeout(timer: Timer): void
}

/** @param keepsAlive whether the process goes on for as long as a timer is set: a command that only waits would end otherwise, and a server that is
 *  stopped would not end */
export function createSystemClock({ keepsAlive = false } = {}): Clock {
  const beganAt = Date.now() - performance.now()
  return {
    now: () => Math.round(beganAt + performance.now()),
    wallNow: () => Date.now(),
    setTimeout: (callback, ms) => {
      const timer = setTimeout(callback, ms)
      return keepsAlive ? timer : timer.unref()
    },
    clearTimeout: timer => clearTimeout(timer as NodeJS.Timeout), // one of those it gave
  }
}

/** Milliseconds with fractions, by the clock that nobody sets: of two readings the difference counts. */
export function preciseNow(): number {
  return performance.now()
}

/** Ends after `ms`, or as soon as `signal` is aborted: it is for the caller to look which of them it was. */
export function pause(
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>,
  ms: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted) return resolve()
    const goOn = (): void => {
      clock.clearTimeout(timer)
      signal?.removeEventListener('abort', goOn)
      resolve()
    }
    const timer = clock.setTimeout(goOn, ms)
    signal?.addEventListener('abort', goOn)
  })
}
