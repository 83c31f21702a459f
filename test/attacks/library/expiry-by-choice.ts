/** The metadata is in both index sets, so that the holder chooses the end of its credential. @module */
import { METADATA } from '../../../crypto/disclosure.ts'
import { decodeMetadata, encodeMetadata } from '../../../crypto/metadata.ts'
import type { Attack } from '../attack.ts'
import { draftAny } from '../draft-any.ts'
import { ask, claiming, hidden, isAccepted, prove } from '../forge.ts'
import { holderOf, subjectOf } from '../holder.ts'

const MORE_SEC = 20 * 604_800

export const attack: Attack = {
  name: 'expiry-by-choice',
  gains: 'a credential that expires later than its issuer said',
  cites: 'spec/cryptography#16',
  on: 'session server',
  async run(service) {
    const holder = holderOf(service)
    const { credential, index } = subjectOf(service, holder)
    const asked = await ask(service, service.disclosure())
    const [proof] = prove(asked, [draftAny(credential, [index], hidden(holder.secretKey))])
    if (proof === undefined) throw new Error('expected a proof')
    const { signingDateSec, expiresAtSec, keyCounter } = decodeMetadata(credential.attributes[0] ?? 0n)
    const later = encodeMetadata({
      issuedAtSec: signingDateSec,
      expiresAtSec: expiresAtSec + MORE_SEC,
      keyCounter,
      credentialType: credential.type.id,
    })
    const forged = claiming(proof, METADATA, later)
    const isGained = await isAccepted(service, asked, [forged], [[{ cred: 0, attr: index }]])
    return isGained ? 'a credential with the end that its holder chose is VALID' : null
  },
}
