/** Lines of a session at level debug: one for each status that this node commits. @module */
import type { Logger } from 'pino'
import type { SessionRow } from '../../stores/session-store.ts'

/** @param log without `debug`: no lines */
export function sessionLog(log: Partial<Pick<Logger, 'debug'>>): (row: SessionRow) => void {
  return ({ id, status, requestor }) =>
    log.debug?.({ session: id, status, ...(requestor !== '' && { requestor }) }, 'session status')
}
