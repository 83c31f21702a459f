/** Decides when a node of a shared store renews its lease and reads the time of the store. A reading with a late answer is soon repeated, so that it
 *  does not shift deadlines for long. @module */
import { StoreError } from '../store-error.ts'
import type { StoreAhead } from './store-ahead.ts'

/** The time for which a node counts as alive after a renewal, by the clock of the store. */
export const LEASE_MS = 15_000
/** The pause between two renewals, and the shorter one until an answer was quick enough. */
const RENEW_MS = 3_000
const SOON_MS = 500
/** The maximum uncertainty of a good reading. Deadlines are kept within a second, and no other part of that error is as large. */
const UNCERTAIN_MS = 100
/** The maximum number of readings before a node starts with the best of them. */
const MOST_READINGS = 5

type Ahead = Pick<StoreAhead, 'uncertainMs'>

/** @returns ms until the next renewal */
export function renewalPauseMs(ahead: Ahead): number {
  return isGood(ahead) ? RENEW_MS : SOON_MS
}

/** To be called after the first reading, before the node uses the time.
 *  @param renew reads the time again
 *  @returns a warning for the operator if every answer was late, or null */
export async function readWell(ahead: Ahead, renew: () => Promise<unknown>): Promise<string | null> {
  for (let readings = 1; readings < MOST_READINGS && !isGood(ahead); readings++) {
    try {
      await renew()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error // the store has logged it; the next renewal may succeed
    }
  }
  if (isGood(ahead)) return null
  return `expected the time of the store within ${2 * UNCERTAIN_MS} ms, got no such answer in ${MOST_READINGS} attempts: until one comes, deadlines may be ${Math.round(ahead.uncertainMs())} ms early or late; see to the load of the store and to the network between`
}

function isGood(ahead: Ahead): boolean {
  return ahead.uncertainMs() <= UNCERTAIN_MS
}
