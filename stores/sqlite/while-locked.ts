/** Waits while another program holds the lock of the file; SQLite itself would block the whole process. @module */
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../ports/clock.ts'
import { isLocked } from './file/sqlite-errors.ts'

/** The pause before the next attempt. */
export const RETRY_MS = 20
/** The maximum wait for a lock. A call waits 4 s in all. No commit should be made after that time, because the call has already failed. */
export const MAX_LOCKED_MS = 3_000

/** @param work may be repeated
 *  @throws errors of the work; the error of the lock after the maximum wait */
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
