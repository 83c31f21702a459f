/** Time as an argument: the system's, or one that stands still until a test moves it. @module */

/** What `setTimeout` gives and `clearTimeout` takes. */
export type Timer = object

export interface Clock {
  /** Unix ms */
  now(): number
  /** @param ms at most 2^31 - 1 */
  setTimeout(callback: () => void, ms: number): Timer
  clearTimeout(timer: Timer): void
}

/** Its timers do not keep the process alive. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    setTimeout: (callback, ms) => setTimeout(callback, ms).unref(),
    clearTimeout: timer => clearTimeout(timer as NodeJS.Timeout), // one of those it gave
  }
}

export interface SimulatedClock extends Clock {
  /** Moves on, firing on the way what falls due, in order and each at its time. */
  advance(ms: number): void
  /** Unix ms of the next timer, or null */
  nextTimerAt(): number | null
}

export function createSimulatedClock(startAt = 0): SimulatedClock {
  let nowAt = startAt
  const timers = new Map<Timer, { readonly at: number; readonly callback: () => void }>()
  const next = () => [...timers].sort(([, a], [, b]) => a.at - b.at)[0] // stable: equal times in the order they were set
  return {
    now: () => nowAt,
    setTimeout(callback, ms) {
      const timer = {}
      timers.set(timer, { at: nowAt + Math.max(0, ms), callback })
      return timer
    },
    clearTimeout: timer => void timers.delete(timer),
    advance(ms) {
      const untilAt = nowAt + ms
      for (let due = next(); due && due[1].at <= untilAt; due = next()) {
        nowAt = due[1].at
        timers.delete(due[0])
        due[1].callback()
      }
      nowAt = untilAt
    },
    nextTimerAt: () => next()?.[1].at ?? null,
  }
}
