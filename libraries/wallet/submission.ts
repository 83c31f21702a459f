/** The submission of a wallet in each type of session, and the processing of its answer (spec/interface#2.9). @module */
import { type RandomBytes, randomInteger } from '../../crypto/random.ts'
import { signatureNonce } from '../../crypto/timestamp.ts'
import { commitmentMessage } from '../../protocol/commitment-message.ts'
import { disclosureMessage } from '../../protocol/disclosure-message.ts'
import { writeJson } from '../../protocol/json.ts'
import { signedMessage } from '../../protocol/signed-message.ts'
import type { Submission } from './calls.ts'
import type { Candidate } from './candidates.ts'
import { SessionError } from './failure.ts'
import type { SessionKeyshares } from './keyshare/session-keyshares.ts'
import type { NamedServerDeps } from './named-servers.ts'
import type { Offer } from './offers.ts'
import type { DeliveredRequest, SubmissionAnswer } from './server-messages.ts'
import { obtainTimestamp } from './timestamp.ts'
import type { Wallet } from './wallet.ts'

const N2_BITS = 128

export type SubmissionChoice = {
  /** by item of the question */
  readonly chosen: readonly Candidate[]
  /** offers of an issuance, otherwise empty */
  readonly offers: readonly Offer[]
}

export type PreparedSubmission = Submission & {
  /** Processes a valid answer. Its results are stored when the promise resolves. */
  readonly receive: (answer: SubmissionAnswer) => Promise<void>
}

export type SubmissionDeps = Omit<NamedServerDeps, 'developerMode'> & {
  readonly wallet: Wallet
  readonly randomBytes: RandomBytes
  readonly keyshares: SessionKeyshares
}

/** @param contextBase of the session's server
 *  @throws {SessionError} */
export function prepareSubmission(
  deps: SubmissionDeps,
  delivered: DeliveredRequest,
  agreed: SubmissionChoice,
): Promise<PreparedSubmission> {
  switch (delivered.request.type) {
    case 'disclosing':
      return disclosure(deps, delivered, agreed)
    case 'signing':
      return signature(deps, delivered, delivered.request.message, agreed)
    case 'issuing':
      return commitments(deps, delivered, agreed)
  }
}

async function nothing(): Promise<void> {}

async function disclosure(
  { wallet, keyshares }: SubmissionDeps,
  { request: { nonRevocation }, context, nonce }: DeliveredRequest,
  { chosen }: SubmissionChoice,
): Promise<PreparedSubmission> {
  const { disclosures, drafted } = await keyshares.finish(async () => ({
    draft: wallet.draft({ chosen, nonRevocation, offers: [], context, isSignature: false }),
    nonce,
  }))
  const body = writeJson(disclosureMessage(disclosures, drafted.draft.indices))
  return { path: '/proofs', body, receive: nothing }
}

/** The timestamp is requested after the commitments of the proofs are fixed. It then becomes part of their nonce (spec/cryptography#8). */
async function signature(
  deps: SubmissionDeps,
  { request: { nonRevocation }, context, nonce, contextBase }: DeliveredRequest,
  message: string,
  agreed: SubmissionChoice,
): Promise<PreparedSubmission> {
  if (agreed.chosen.every(({ attributes }) => attributes.length === 0))
    throw new SessionError('invalid-choice', 'choices: expected at least one attribute to sign with')
  const { wallet } = deps
  const { developerMode } = wallet
  const prepare = async () => {
    const draft = wallet.draft({ ...agreed, nonRevocation, context, isSignature: true })
    const server = draft.timestampServer()
    const timestamp =
      server === null
        ? null
        : await obtainTimestamp(server, draft.stampedNonce(message), { ...deps, developerMode })
    return { draft, nonce: signatureNonce(nonce, message, timestamp?.signature ?? null), timestamp }
  }
  const { disclosures: proofs, drafted } = await deps.keyshares.finish(prepare)
  const { timestamp } = drafted
  const { indices } = drafted.draft
  const signed = { version: 2, proofs, indices, nonce, context, message, timestamp } as const
  return { path: '/proofs', body: writeJson(signedMessage(signed, contextBase)), receive: nothing }
}

async function commitments(
  { wallet, randomBytes, keyshares }: SubmissionDeps,
  { request: { nonRevocation }, context, nonce }: DeliveredRequest,
  agreed: SubmissionChoice,
): Promise<PreparedSubmission> {
  const { finished, disclosures, proofPJwts, drafted } = await keyshares.finish(async () => ({
    draft: wallet.draft({ ...agreed, nonRevocation, context, isSignature: false }),
    nonce,
  }))
  const n2 = randomInteger(N2_BITS, randomBytes)
  const { indices } = drafted.draft
  const expected = wallet.sdJwts.keysFor(agreed.offers)
  const keys = expected.map(({ key }) => key.publicKey)
  const message = commitmentMessage({ ...finished, disclosures, n2, indices, proofPJwts, keys })
  return {
    path: '/commitments',
    body: writeJson(message),
    receive: ({ issued, sdJwts }) =>
      finished.receive(issued, n2, keyshares.registered(), wallet.sdJwts.verify(sdJwts, expected)),
  }
}
