/** Converts recordings of profile `irma` to the words of another profile. @module */
import { wholeWeeks } from '../../crypto/metadata.ts'
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

/** The recorded answer to an app in the form of the profile: without the `options` of a session without pairing (2.9), and with validities in whole
 *  weeks (2.5). */
export function answerInFormOf(profile: ProfileName, text: string): string {
  const { optionsWithoutPairing, sentValidity } = PROFILES[profile]
  const bare =
    optionsWithoutPairing === 'sent'
      ? text
      : text.replace(/"options":\{"@context":"[^"]+","pairingMethod":"none"\},(?="request":)/, '')
  if (sentValidity === 'as-requested' || !/"credentials":/.test(bare)) return bare
  return bare.replace(/"validity":(\d+)/g, (_, atSec) => `"validity":${wholeWeeks(Number(atSec))}`)
}
