/** Time as an argument: two readings, timers, and pauses. @module */

/** Type of the handle that `setTimeout` returns and `clearTimeout` accepts. */
export type Timer = object

export interface Clock {
  /** Unix ms of this process: read from the system once at its start, then counted by a monotonic clock, which cannot be set. Waits, leases,
   *  deadlines and their stored values use this time. */
  now(): number
  /** Unix ms of the system clock, which may be set at any moment: for times that other programs wrote or will read. */
  wallNow(): number
  /** @param ms at most 2^31 - 1 */
  setTimeout(callback: () => void, ms: number): Timer
  clearTimeout(timer: Timer): void
}

/** @param keepsAlive true: a pending timer keeps the process alive. A command that only waits needs true; a stopping server needs false. */
export function createSystemClock({ keepsAlive = false } = {}): Clock {
  const beganAt = Date.now() - performance.now()
  return {
    now: () => Math.round(beganAt + performance.now()),
    wallNow: () => Date.now(),
    setTimeout: (callback, ms) => {
      const timer = setTimeout(callback, ms)
      return keepsAlive ? timer : timer.unref()
    },
    clearTimeout: timer => clearTimeout(timer as NodeJS.Timeout), // returned by setTimeout above
  }
}

/** Milliseconds with fractions, by a monotonic clock. Only the difference of two readings has a meaning. */
export function preciseNow(): number {
  return performance.now()
}

/** Resolves after `ms`, or as soon as `signal` is aborted. The caller checks the signal to see which it was. */
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
