/** A clock for tests, which advances only when a test moves it. @module */
import type { Clock, Timer } from './clock.ts'

export interface SimulatedClock extends Clock {
  /** Moves forward. Timers that fall due fire in order, each at its own time. */
  advance(ms: number): void
  /** Sets the system clock; timers are not affected.
   *  @param ms forward; negative: back */
  setWall(ms: number): void
  /** Unix ms of the next timer; null: there is none */
  nextTimerAt(): number | null
}

export function createSimulatedClock(startAt = 0): SimulatedClock {
  let nowAt = startAt
  let wallAheadMs = 0
  const timers = new Map<Timer, { readonly at: number; readonly callback: () => void }>()
  const next = () => [...timers].sort(([, a], [, b]) => a.at - b.at)[0] // stable: equal times keep the order in which they were set
  return {
    now: () => nowAt,
    wallNow: () => nowAt + wallAheadMs,
    setWall(ms) {
      wallAheadMs += ms
    },
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
