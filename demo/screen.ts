/** A screen that others wait for: what it shows now, and a long question for what it shows next. @module */
import type { Clock } from '../ports/clock.ts'

export type Shown<State> = { readonly version: number; readonly state: State }

export type Screen<State> = {
  show(state: State): void
  /** What is shown as soon as it is another version than `after`; after `ms`, what is shown anyway. */
  next(after: number, ms: number): Promise<Shown<State>>
}

export type Timers = Pick<Clock, 'setTimeout' | 'clearTimeout'>

export function createScreen<State>(first: State, timers: Timers): Screen<State> {
  let shown: Shown<State> = { version: 1, state: first }
  const waiting = new Set<() => void>()
  return {
    show(state) {
      shown = { version: shown.version + 1, state }
      for (const wake of waiting) wake()
    },
    next(after, ms) {
      if (shown.version !== after) return Promise.resolve(shown)
      return new Promise(resolve => {
        const wake = (): void => {
          timers.clearTimeout(timer)
          waiting.delete(wake)
          resolve(shown)
        }
        const timer = timers.setTimeout(wake, ms)
        waiting.add(wake)
      })
    },
  }
}
