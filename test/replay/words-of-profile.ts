/** Recordings of profile `irma` in the words of another one. @module */
import { PROFILES, type ProfileName } from '../../protocol/profiles.ts'

/** A text of a recording in the words of the profile: paths, headers, pointer field and contexts differ. */
export function inWordsOf(profile: ProfileName, text: string): string {
  const [from, to] = [PROFILES.irma, PROFILES[profile]]
  return text
    .replaceAll(from.contextBase, to.contextBase)
    .replaceAll(`${from.prefix}/`, `${to.prefix}/`)
    .replaceAll(from.pointerField, to.pointerField)
    .replaceAll(from.minVersionHeader.toLowerCase(), to.minVersionHeader.toLowerCase())
    .replaceAll(from.maxVersionHeader.toLowerCase(), to.maxVersionHeader.toLowerCase())
}
