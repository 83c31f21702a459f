/** Replay of identical calls of the wallet app (decisions.md, "replay"): one stored answer per session, sent again for a while. @module */
import type { SessionRow, StoredAnswer } from '../../stores/session-store.ts'
import { isUnboundAfterPairing } from './unbound-app.ts'

/** How long an answer is sent again, counted from its commit. It outlives every repeat that a caller makes who obeys our own `Retry-After`: a 503 comes
 *  after 15 s at most, and a wallet app that repeats its submission stops after 60 s. */
export const REPLAY_MS = 90_000

/** @returns the answer of the last handled call, if this call is identical to it, nothing else has changed the session since, and the answer was
 *  not for its first caller alone */
export function replayOf(row: SessionRow, callHash: string, now: number): StoredAnswer | null {
  const { answered, version } = row
  if (answered?.callHash !== callHash || answered.version !== version) return null
  if (isUnboundAfterPairing(row)) return null
  return now - answered.answeredAt <= REPLAY_MS ? answered.answer : null
}
