/** The profile that a session was created under. @module */
import { PROFILES, type Profile, type ProfileName } from '../protocol/profiles.ts'

/** @returns this server's own, with its context base, if it is that one */
export function profileOf(
  { profile }: { readonly profile: ProfileName },
  settings: { readonly profile: Profile },
): Profile {
  return profile === settings.profile.name ? settings.profile : PROFILES[profile]
}
