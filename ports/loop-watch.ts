/** Measures how long the event loop was blocked. A call that Node hands over after a block may have arrived at any moment of the block. @module */
import type { Clock } from './clock.ts'

/** The time between two checks. */
const BEAT_MS = 250
/** The loop counts as blocked if its last check was this long ago. */
const LATE_MS = 2 * BEAT_MS
/** More than the connections that may wait in the system (511 by default). Node accepts one connection in each turn. */
const MOST_TURNS = 512

export type LoopWatch = {
  /** The greatest possible age of a call that is handed over now. It is 0 once all calls that arrived during a block were handed over. */
  lateMs(): number
  /** To call when a connection was accepted. Its first call is handed over in the next turn. */
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

  /** In each turn the loop runs timers, then reads from the system what has arrived, then runs immediates. */
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
