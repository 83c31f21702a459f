/** How long the event loop stood still: what it hands over afterwards may have arrived at any moment since it was last seen running. @module */
import type { Clock } from './clock.ts'

/** The time between two looks. */
const BEAT_MS = 250
/** A loop that was not seen for this long stood still. */
const LATE_MS = 2 * BEAT_MS
/** More turns than connections wait for Node in the system (511 by default); Node accepts one in a turn. */
const MOST_TURNS = 512

export type LoopWatch = {
  /** The age that a call may have that is handed over now. It is 0 as soon as all that arrived during a standstill was handed over: a later call is fresh. */
  lateMs(): number
  /** A connection was accepted, whose first call is handed over in the next turn. */
  accepted(): void
}

export function watchLoop(clock: Pick<Clock, 'now' | 'setTimeout'>): LoopWatch {
  let seenAt = clock.now()
  let stoodSince: number | null = null
  let hasAccepted = false
  const isLate = (): boolean => clock.now() - seenAt >= LATE_MS

  function beat(): void {
    if (isLate() && stoodSince === null) {
      stoodSince = seenAt
      catchUp(MOST_TURNS)
    }
    seenAt = clock.now()
    clock.setTimeout(beat, BEAT_MS)
  }

  /** Timers run before the loop asks the system for what has arrived, immediates after that. */
  function catchUp(turns: number): void {
    hasAccepted = false
    setImmediate(() => {
      if (hasAccepted && turns > 0) catchUp(turns - 1)
      else stoodSince = null
    })
  }

  clock.setTimeout(beat, BEAT_MS)
  return {
    lateMs: () => (stoodSince === null && !isLate() ? 0 : clock.now() - (stoodSince ?? seenAt)),
    accepted() {
      hasAccepted = true
    },
  }
}
