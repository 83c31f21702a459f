/** Readings of the schemes that calls cause by unknown names. Any caller can invent names, so all callers together cause few readings, and no call
 *  waits long for one. @module */
import { type Clock, pause } from '../../ports/clock.ts'

/** The shortest time between the beginnings of two readings that calls cause, for all callers and all names together. */
export const LOOK_EVERY_MS = 60_000
/** The longest time that a call waits for a reading. Without a result by then, the names count as unknown. */
const WAIT_MS = 1_000

/** Waits for the reading, which continues if it takes longer. */
export async function waitBriefly(clock: Clock, reading: Promise<void> | null): Promise<void> {
  if (reading === null) return
  const ended = new AbortController()
  try {
    await Promise.race([reading, pause(clock, WAIT_MS, ended.signal)])
  } finally {
    ended.abort()
  }
}
