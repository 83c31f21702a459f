/** One time for all nodes of a store, which counts for deadlines, leases, challenges and deliveries. So a node with a wrong clock fires nothing early
 *  or late. It is the clock of the process plus the measured lead of the store. @module */
import type { Clock } from '../../ports/clock.ts'
import type { Nodes } from '../store.ts'

/** The maximum time for which the clock stops because the store is behind. If the store is behind by more, its clock was set back. Then the node
 *  follows at once, because nodes that start now use the new time, and all nodes must agree. */
const LONGEST_STILL_MS = 10_000

/** `now` follows the store at once when it moves forward, and stops when it moves back, so that it does not run backwards. `wallNow` is the system
 *  clock, and timers are unchanged. */
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
