/** Replay of identical calls of the wallet app (spec/decisions#replay): one stored answer per session, sent again for a limited time. @module */
import type { SessionRow, StoredAnswer } from '../../stores/session-store.ts'
import { isUnboundAfterPairing } from './unbound-app.ts'

/** How long an answer is sent again, counted from its commit. It is longer than the retries of any caller that obeys our `Retry-After`: a 503 comes after at
 *  most 15 s, and a wallet app stops repeating its submission after 60 s. */
export const REPLAY_MS = 90_000

/** @returns the answer of the last handled call; null if this call differs, the session has changed since, the answer was for its first caller only, or it is
 *  too old */
export function replayOf(row: SessionRow, callHash: string, now: number): StoredAnswer | null {
  const { answered, version } = row
  if (answered?.callHash !== callHash || answered.version !== version) return null
  if (isUnboundAfterPairing(row)) return null
  return now - answered.answeredAt <= REPLAY_MS ? answered.answer : null
}
