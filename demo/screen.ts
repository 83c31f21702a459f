/** A screen that others wait for: its current state, and a long poll for the next one. @module */
import type { Clock } from '../ports/clock.ts'

export type VersionedState<State> = { readonly version: number; readonly state: State }

export type Screen<State> = {
  show(state: State): void
  /** Returns the state as soon as its version differs from `after`, or after `ms` in any case. */
  next(after: number, ms: number): Promise<VersionedState<State>>
}

export type Timers = Pick<Clock, 'setTimeout' | 'clearTimeout'>

export function createScreen<State>(first: State, timers: Timers): Screen<State> {
  let shown: VersionedState<State> = { version: 1, state: first }
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
