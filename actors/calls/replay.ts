/** Replay of identical calls of the wallet app (spec/decisions#replay): one stored answer per session, sent again for a limited time. @module */
import { isReplayed } from '../../sessions/stored-answer.ts'
import type { SessionRow, StoredAnswer } from '../../stores/session-store.ts'
import { isUnboundAfterPairing } from './unbound-app.ts'

/** @returns the answer of the last handled call; null if this call differs, the session has changed since, the answer was for its first caller only, or it is
 *  too old */
export function replayOf(row: SessionRow, callHash: string, now: number): StoredAnswer | null {
  const { answered, version } = row
  if (answered?.callHash !== callHash || answered.version !== version) return null
  if (isUnboundAfterPairing(row)) return null
  return isReplayed(answered.answeredAt, now) ? answered.answer : null
}
