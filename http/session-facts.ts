/** What endpoints read off a stored session. @module */
import { PROFILES, type Profile } from '../protocol/profiles.ts'
import type { SessionRow, SessionStatus } from '../stores/session-store.ts'
import type { ServerSettings } from './settings.ts'

export function isFinal(status: SessionStatus): boolean {
  return status === 'DONE' || status === 'CANCELLED' || status === 'TIMEOUT'
}

/** The profile that a session was created under; this server's own with its context base. */
export function profileOf({ profile }: Pick<SessionRow, 'profile'>, settings: ServerSettings): Profile {
  return profile === settings.profile.name ? settings.profile : PROFILES[profile]
}
