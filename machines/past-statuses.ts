/** The statuses that a session has had, derived from its stored row. A subscriber that missed some of them receives them later. A session has each status at
 *  most once, so a status marks a position in its history. @module */
import type { SessionStatus } from './session.ts'
import { factsOf, isOver, type StoredSnapshot } from './session-snapshot.ts'

type StoredSession = {
  readonly status: SessionStatus
  readonly chart: number | null
  readonly snapshot: StoredSnapshot | null
}

/** @param last the last status that the subscriber received
 *  @param session as stored; if its facts cannot be read, its earlier statuses are unknown
 *  @returns the statuses since then, in order; null: the session never had that status */
export function statusesAfter(last: SessionStatus, session: StoredSession): readonly SessionStatus[] | null {
  const { status } = session
  if (last === status) return []
  const past = pastOf(session)
  if (past === null) return isOver(last) || !isOver(status) ? null : [status]
  const heard = past.indexOf(last)
  return heard === -1 ? null : past.slice(heard + 1)
}

/** The status before the present one, as far as the row says. */
export function statusBefore(session: StoredSession): SessionStatus {
  return pastOf(session)?.at(-2) ?? 'INITIALIZED'
}

/** Every status so far, in order; null: the facts of the session cannot be read. */
function pastOf({ status, chart, snapshot }: StoredSession): readonly SessionStatus[] | null {
  const facts = factsOf(chart, snapshot)
  if (facts === null) return null
  const isConnected = facts.protocolVersion !== null
  return [
    'INITIALIZED',
    ...(isConnected && facts.pairing === 'pin' ? (['PAIRING'] as const) : []),
    ...(isConnected && (facts.pairing === 'none' || facts.isPaired) ? (['CONNECTED'] as const) : []),
    ...(isOver(status) ? [status] : []),
  ]
}
