/** Time as an argument: two readings, and timers. @module */

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

/** Its timers do not keep the process alive. */
export function createSystemClock(): Clock {
  const beganAt = Date.now() - performance.now()
  return {
    now: () => Math.round(beganAt + performance.now()),
    wallNow: () => Date.now(),
    setTimeout: (callback, ms) => setTimeout(callback, ms).unref(),
    clearTimeout: timer => clearTimeout(timer as NodeJS.Timeout), // one of those it gave
  }
}
