/** The clock that stands still until a test moves it. @module */
import type { Clock, Timer } from './clock.ts'

export interface SimulatedClock extends Clock {
  /** Moves on, firing on the way what falls due, in order and each at its time. */
  advance(ms: number): void
  /** The clock of the system is set; timers take no notice.
   *  @param ms forward; negative: back */
  setWall(ms: number): void
  /** Unix ms of the next timer, or null */
  nextTimerAt(): number | null
}

export function createSimulatedClock(startAt = 0): SimulatedClock {
  let nowAt = startAt
  let wallAheadMs = 0
  const timers = new Map<Timer, { readonly at: number; readonly callback: () => void }>()
  const next = () => [...timers].sort(([, a], [, b]) => a.at - b.at)[0] // stable: equal times in the order they were set
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
