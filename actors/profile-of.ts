/** The profile that a session was created under. @module */
import { PROFILES, type Profile } from '../protocol/profiles.ts'
import type { SessionRow } from '../stores/session-store.ts'

/** @returns this server's own, with its context base, if it is that one */
export function profileOf(
  { profile }: Pick<SessionRow, 'profile'>,
  settings: { readonly profile: Profile },
): Profile {
  return profile === settings.profile.name ? settings.profile : PROFILES[profile]
}
