/** One time for all nodes of a store: deadlines, leases, challenges and deliveries are counted by it, so that a node whose own clock is wrong fires nothing
 *  early or late. It is the clock of the process plus what the store is ahead of it. @module */
import type { Clock } from '../../ports/clock.ts'
import type { Nodes } from '../store.ts'

/** The longest time for which the clock stands still while the store is behind what was told already. A store that is behind by more was set back, and is
 *  followed at once: nodes that start now count by it, too, and what one node calls a time must be that time for all. */
const LONGEST_STILL_MS = 10_000

/** `now` follows the store at once where it moves forward, and stands still where it moves back, so that it never runs backwards. `wallNow` is the system's,
 *  and timers count as they did. */
export function createSharedClock(clock: Clock, nodes: Pick<Nodes, 'aheadMs'>): Clock {
  let toldAt = Number.NEGATIVE_INFINITY
  return {
    now: () => {
      const at = clock.now() + Math.round(nodes.aheadMs())
      if (at > toldAt || toldAt - at > LONGEST_STILL_MS) toldAt = at
      return toldAt
    },
    wallNow: () => clock.wallNow(),
    setTimeout: (callback, ms) => clock.setTimeout(callback, ms),
    clearTimeout: timer => clock.clearTimeout(timer),
  }
}
