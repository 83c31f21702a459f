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
export function statusesAfter(
  last: SessionStatus,
  { status, chart, snapshot }: StoredSession,
): readonly SessionStatus[] | null {
  if (last === status) return []
  const facts = factsOf(chart, snapshot)
  if (facts === null) return isOver(last) || !isOver(status) ? null : [status]
  const isConnected = facts.protocolVersion !== null
  const past: readonly SessionStatus[] = [
    'INITIALIZED',
    ...(isConnected && facts.pairing === 'pin' ? (['PAIRING'] as const) : []),
    ...(isConnected && (facts.pairing === 'none' || facts.isPaired) ? (['CONNECTED'] as const) : []),
    ...(isOver(status) ? [status] : []),
  ]
  const heard = past.indexOf(last)
  return heard === -1 ? null : past.slice(heard + 1)
}
