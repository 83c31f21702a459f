/** What endpoints read off a stored session. @module */
import { PROFILES, type Profile } from '../protocol/profiles.ts'
import { type SessionPointer, sessionPointer } from '../protocol/session-package.ts'
import { outcomeToShow, restoreOutcome } from '../sessions/result.ts'
import type { SessionRow, SessionStatus } from '../stores/session-store.ts'
import type { ServerSettings } from './settings.ts'

export function isFinal(status: SessionStatus): boolean {
  return status === 'DONE' || status === 'CANCELLED' || status === 'TIMEOUT'
}

/** The profile that a session was created under; this server's own with its context base. */
export function profileOf({ profile }: Pick<SessionRow, 'profile'>, settings: ServerSettings): Profile {
  return profile === settings.profile.name ? settings.profile : PROFILES[profile]
}

/** The pointer of the session that followed this one, once this one is over (spec 2.10). */
export function nextPointerOf(row: SessionRow, settings: ServerSettings): SessionPointer | undefined {
  const outcome = outcomeToShow(row.status, row.result === null ? null : restoreOutcome(row.result))
  const next = outcome?.nextSession
  return next && sessionPointer({ ...next, url: settings.url, profile: profileOf(row, settings) })
}
