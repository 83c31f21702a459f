/** The profile that a session was created under. @module */
import { PROFILES, type Profile, type ProfileName } from '../protocol/profiles.ts'

/** @returns the profile of this server, with its context base, if the names are equal; otherwise the built-in profile */
export function profileOf(
  { profile }: { readonly profile: ProfileName },
  settings: { readonly profile: Profile },
): Profile {
  return profile === settings.profile.name ? settings.profile : PROFILES[profile]
}
