/** Credentials that the attacker gets from the server, over commitments of its own making. @module */

import { type CreatedCommitment, draftCommitment } from '../../crypto/commitment.ts'
import type { Draft } from '../../crypto/draft.ts'
import { randomInteger } from '../../crypto/random.ts'
import type { Service } from '../../libraries/conformance/service.ts'
import { completeCredentials } from '../../libraries/wallet/complete.ts'
import { type Credential, recognise } from '../../libraries/wallet/credential.ts'
import type { Offer } from '../../libraries/wallet/offers.ts'
import { readSubmissionAnswer } from '../../libraries/wallet/server-messages.ts'
import { commitmentMessage } from '../../protocol/commitment-message.ts'
import { writeJson } from '../../protocol/json.ts'
import { arithmetic, ask, bytes, type ConnectedSession, hidden, prove } from './forge.ts'

/** The secret key of a second person. */
export const OTHER_SECRET_KEY = randomInteger(255, bytes)
const N2 = 5n

/** A credential for any secret key.
 *  @param credentials the first of them is returned; left out: the one that the server offers */
export async function obtain(
  service: Service,
  secretKey: bigint,
  credentials: readonly object[] = [service.credential()],
): Promise<Credential> {
  const asked = await ask(service, service.request('issuing', { credentials }))
  const offers = service.wallet.offers(asked.offered)
  const drafts = offers.map(({ key, randomBlind }) =>
    draftCommitment(arithmetic, { key, randomBlind }, hidden(secretKey), bytes),
  )
  const credential = await receive(service, asked, { offers, drafts, secretKey })
  if (credential === null) throw new Error('expected a credential')
  return credential
}

export type Commitments = {
  readonly offers: readonly Offer[]
  readonly drafts: readonly Draft<CreatedCommitment>[]
  readonly secretKey: bigint
}

/** Sends the commitments.
 *  @returns the first credential; null: none was issued */
export async function receive(
  service: Service,
  asked: ConnectedSession,
  { offers, drafts, secretKey }: Commitments,
): Promise<Credential | null> {
  const commitments = prove(asked, drafts)
  const proofs = commitments.map(({ proof }) => proof)
  const sent = { n2: N2, disclosures: [], commitments: proofs, indices: [], proofPJwts: new Map() }
  const { status, text } = await service.asApp(
    asked.session,
    'POST',
    '/commitments',
    writeJson(commitmentMessage(sent)),
  )
  if (status !== 200) return null
  const { issued } = readSubmissionAnswer(text, offers.length)
  if (issued.length === 0) return null
  const nowSec = Math.floor(service.clock.wallNow() / 1_000)
  const issuance = { secretKey, context: asked.context, n2: N2, nowSec }
  const [stored] = completeCredentials(arithmetic, { offers, commitments, issued, parts: [] }, issuance)
  return stored ? recognise({ id: 'new', ...stored }, service.wallet.schemes) : null
}
