/** A commitment that also has a part of an attribute, so that the issuer signs its own value plus that part. @module */
import { type CommitmentSecrets, draftCommitment } from '../../../crypto/commitment.ts'
import { completeSignature } from '../../../crypto/issuance.ts'
import { encodeMetadata } from '../../../crypto/metadata.ts'
import { verifySignature } from '../../../crypto/signature.ts'
import type { Offer } from '../../../libraries/wallet/offers.ts'
import { readSubmissionAnswer } from '../../../libraries/wallet/server-messages.ts'
import { commitmentMessage } from '../../../protocol/commitment-message.ts'
import { writeJson } from '../../../protocol/json.ts'
import type { IssuedCredential } from '../../../protocol/server-session-response.ts'
import type { Attack } from '../attack.ts'
import { arithmetic, ask, bytes, hidden, prove } from '../forge.ts'
import { holderOf } from '../holder.ts'

const FIRST = 2

export const attack: Attack = {
  name: 'shifted-attribute',
  gains: 'a credential with another value than the issuer meant',
  cites: 'spec/cryptography#9.2',
  on: 'session server',
  async run(service) {
    const { secretKey } = holderOf(service)
    const asked = await ask(service, service.request('issuing'))
    const [offer] = service.wallet.offers(asked.offered)
    if (offer === undefined) throw new Error('expected an offer')
    const choice = { key: offer.key, randomBlind: [FIRST] }
    const [made] = prove(asked, [draftCommitment(arithmetic, choice, hidden(secretKey), bytes)])
    if (made === undefined) throw new Error('expected a commitment')
    const message = { n2: 5n, disclosures: [], commitments: [made.proof], indices: [], proofPJwts: new Map() }
    const body = writeJson(commitmentMessage(message))
    const { status, text } = await service.asApp(asked.session, 'POST', '/commitments', body)
    const issued = status === 200 ? readSubmissionAnswer(text, 1).issued[0] : undefined
    if (issued === undefined) return null
    return isShifted(offer, secretKey, made.secrets, issued)
      ? 'a signature on a value that the holder has added to'
      : null
  },
}

/** True if the signature holds for the offered value plus the part of the holder. */
function isShifted(
  { key, type, values, validityAtSec }: Offer,
  secretKey: bigint,
  secrets: CommitmentSecrets,
  { issued }: IssuedCredential,
): boolean {
  const credentialType = type.id
  const dates = { issuedAtSec: Math.floor(Date.now() / 1_000), expiresAtSec: validityAtSec }
  const metadata = encodeMetadata({ ...dates, keyCounter: key.counter, credentialType })
  const shifted = values.map((value, i) => (value ?? 0n) + (secrets.shares.get(i + FIRST) ?? 0n))
  const signature = completeSignature(issued.signature, secrets)
  return verifySignature(arithmetic, key, signature, [secretKey, metadata, ...shifted])
}
