/** What waits while another program keeps the file locked: SQLite itself would block the whole process meanwhile. @module */
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../ports/clock.ts'
import { isLocked } from './file/sqlite-errors.ts'

/** The pause before the next attempt. */
export const RETRY_MS = 20
/** The longest wait for a lock: a call waits 4 s in all, and a commit that comes too late for it should not be made. */
export const MAX_LOCKED_MS = 3_000

/** @param work may be repeated
 *  @throws what the work throws, the error of the lock once the wait is over */
export async function whileLocked<T>(clock: Pick<Clock, 'now'>, work: () => T | Promise<T>): Promise<T> {
  const untilAt = clock.now() + MAX_LOCKED_MS
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (!isLocked(error) || clock.now() >= untilAt) throw error
      await pause(RETRY_MS)
    }
}
