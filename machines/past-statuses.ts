/** Which statuses a session has had, read off what is stored of it: whoever has missed some of them is told them later. A session has each status once at
 *  most, so that a status says how far somebody has heard. @module */
import type { SessionStatus } from './session.ts'
import { factsOf, isOver, type StoredSnapshot } from './session-snapshot.ts'

type StoredSession = {
  readonly status: SessionStatus
  readonly chart: number | null
  readonly snapshot: StoredSnapshot | null
}

/** @param last the last status that somebody has heard of
 *  @param session as it is stored; of one whose facts cannot be read nobody knows the way to its end
 *  @returns the statuses since then, in order; null: the session never had that status */
export function statusesAfter(last: SessionStatus, session: StoredSession): readonly SessionStatus[] | null {
  const { status } = session
  if (last === status) return []
  const past = pastOf(session)
  if (past === null) return isOver(last) || !isOver(status) ? null : [status]
  const heard = past.indexOf(last)
  return heard === -1 ? null : past.slice(heard + 1)
}

/** The status that this session had before its present one, as far as its row says. */
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
