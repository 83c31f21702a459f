/** Sessions that the attacker answers with proofs of its own making. @module */
import { randomBytes } from 'node:crypto'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { hashCommit } from '../../crypto/challenge.ts'
import type { DisclosureProof } from '../../crypto/disclosure.ts'
import { type Contribution, type Draft, type HiddenExponent, hide } from '../../crypto/draft.ts'
import { at } from '../../libraries/conformance/json.ts'
import type { Service, Session } from '../../libraries/conformance/service.ts'
import { type DeliveredRequest, readConnection } from '../../libraries/wallet/server-messages.ts'
import { disclosureMessage } from '../../protocol/disclosure-message.ts'
import { writeJson } from '../../protocol/json.ts'
import type { DisclosureIndices } from '../../protocol/proofs-json.ts'

export const arithmetic = chooseArithmetic('auto')
export const bytes = (count: number): Uint8Array => randomBytes(count)
const SECRET_KEY_RANDOMIZER_BITS = 592

export type ConnectedSession = Pick<
  DeliveredRequest,
  'nonce' | 'context' | 'contextBase' | 'offered' | 'updates'
> & {
  readonly session: Session
}

/** Starts a session, and connects as its app. */
export async function ask(service: Service, request: object): Promise<ConnectedSession> {
  return connected(service, await service.create(request))
}

/** Connects as the app of the session. */
export async function connected(service: Service, session: Session): Promise<ConnectedSession> {
  const { text } = await service.connect(session, '2.8', '2.8')
  const { request: delivered } = readConnection(text, service.profile)
  if (delivered === null) throw new Error('expected a request without pairing')
  return { session, ...delivered }
}

export function hidden(secretKey: bigint): HiddenExponent {
  return hide(secretKey, SECRET_KEY_RANDOMIZER_BITS, bytes)
}

export function challengeOf(
  { context, nonce }: Pick<ConnectedSession, 'context' | 'nonce'>,
  contributions: readonly Contribution[],
  isSignature = false,
): bigint {
  return hashCommit([context, ...contributions.flat(), nonce], isSignature)
}

/** Answers the challenge with every draft. */
export function prove<Proof>(
  asked: ConnectedSession,
  drafts: readonly Draft<Proof>[],
  isSignature = false,
): Proof[] {
  const c = challengeOf(
    asked,
    drafts.map(({ contribution }) => contribution),
    isSignature,
  )
  return drafts.map(draft => draft.respond(c))
}

/** The same proof with another number at an index. The response at this index makes up for the number, as for a hidden one. */
export function claiming(proof: DisclosureProof, index: number, number: bigint): DisclosureProof {
  const response = (proof.aResponses.get(index) ?? 0n) - proof.c * number
  return {
    ...proof,
    aResponses: new Map([...proof.aResponses, [index, response]]),
    aDisclosed: new Map([...proof.aDisclosed, [index, number]]),
  }
}

/** Submits the proofs.
 *  @returns true if the requestor gets a result that says `VALID` */
export async function isAccepted(
  service: Service,
  { session }: ConnectedSession,
  proofs: readonly DisclosureProof[],
  indices: DisclosureIndices,
): Promise<boolean> {
  return isAcceptedText(service, session, writeJson(disclosureMessage(proofs, indices)))
}

export async function isAcceptedText(service: Service, session: Session, body: string): Promise<boolean> {
  await service.asApp(session, 'POST', session.type === 'issuing' ? '/commitments' : '/proofs', body)
  const result = await service.get(`${session.requestor}/result`)
  return at(result.json, 'proofStatus') === 'VALID'
}
