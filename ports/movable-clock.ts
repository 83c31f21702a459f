/** A clock that follows another clock, and that a test can move forward. @module */
import type { Clock, Timer } from './clock.ts'

export interface MovableClock extends Clock {
  /** Moves forward at once. Timers that fall due fire in order, each at its own time. */
  advance(ms: number): void
}

type Waiting = { readonly atMs: number; readonly callback: () => void; under: Timer }

export function createMovableClock(under: Clock): MovableClock {
  let aheadMs = 0
  const waiting = new Map<Timer, Waiting>()
  const now = (): number => under.now() + aheadMs
  const fire = (timer: Timer, { callback, under: old }: Waiting): void => {
    under.clearTimeout(old)
    waiting.delete(timer)
    callback()
  }
  const arm = (timer: Timer, entry: Omit<Waiting, 'under'>): void => {
    const leftMs = Math.max(0, entry.atMs - now())
    const armed = { ...entry, under: under.setTimeout(() => fire(timer, armed), leftMs) }
    waiting.set(timer, armed)
  }
  const next = () => [...waiting].sort(([, a], [, b]) => a.atMs - b.atMs)[0] // stable: equal times keep the order in which they were set
  return {
    now,
    wallNow: () => under.wallNow() + aheadMs,
    setTimeout(callback, ms) {
      const timer = {}
      arm(timer, { atMs: now() + ms, callback })
      return timer
    },
    clearTimeout(timer) {
      const entry = waiting.get(timer)
      if (entry) under.clearTimeout(entry.under)
      waiting.delete(timer)
    },
    advance(ms) {
      const untilMs = now() + ms
      for (let due = next(); due && due[1].atMs <= untilMs; due = next()) {
        aheadMs += Math.max(0, due[1].atMs - now())
        fire(...due)
      }
      aheadMs += Math.max(0, untilMs - now())
      for (const [timer, entry] of [...waiting]) {
        under.clearTimeout(entry.under)
        arm(timer, entry)
      }
    },
  }
}
