/** Facts that endpoints read from a stored session. @module */
import { type SessionPointer, sessionPointer } from '../protocol/session-package.ts'
import { profileOf } from '../sessions/profile-of.ts'
import { outcomeToShow } from '../sessions/result.ts'
import type { SessionRow } from '../stores/session-store.ts'
import type { ServerSettings } from './settings.ts'

/** The pointer of the session that followed this one, once this one has finished (spec/interface#2.10). */
export function nextPointerOf(row: SessionRow, settings: ServerSettings): SessionPointer | undefined {
  const outcome = outcomeToShow(row.status, row.result?.value ?? null)
  const next = outcome?.nextSession
  return next && sessionPointer({ ...next, url: settings.url, profile: profileOf(row, settings) })
}
