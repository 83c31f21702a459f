/** The first version of the keyshare protocol (spec/decisions#keyshare_v1). In it, a wallet app can remove the keyshare server from a credential while it is
 *  issued. The second version prevents that. @module */
import type { KeyshareProof } from '../crypto/keyshare/merge.ts'
import { KeyshareProofMissingError } from '../protocol/errors.ts'
import type { IssuerId, SchemeId } from '../protocol/ids.ts'

/** The values of the option, the default first. */
export const KEYSHARE_V1 = ['warn', 'allow', 'refuse'] as const

/** `warn` accepts the first version, and logs one line per issuer and day. */
export type KeyshareV1 = (typeof KEYSHARE_V1)[number]

/** Reports an issuer whose credentials took part in the first version. */
export type NoteFirstVersion = (issuer: IssuerId) => void

/** Only the unlinkable answer of the second version has no P. The linkable one has the form of the first version, and the weakness of it: the app chooses the
 *  proofs that the keyshare server takes part in. */
function isFirstVersion({ P }: KeyshareProof): boolean {
  return P !== null
}

/** @param issuers of the credential types whose proofs this keyshare server takes part in
 *  @throws {KeyshareProofMissingError} for a proof that is not of the second version, if the rule is `refuse` */
export function requireVersion(
  proof: KeyshareProof,
  {
    scheme,
    issuers,
    rule,
  }: {
    readonly scheme: SchemeId
    readonly issuers: Iterable<IssuerId>
    readonly rule: KeyshareV1
  },
  note: NoteFirstVersion,
): void {
  if (rule === 'allow' || !isFirstVersion(proof)) return
  if (rule === 'warn') {
    for (const issuer of issuers) note(issuer)
    return
  }
  throw new KeyshareProofMissingError(
    `keyshare proof for scheme ${scheme}: expected one of the second version, without P, because keyshare_v1 is refuse, got one with P`,
  )
}
