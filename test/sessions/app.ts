/** Wallet apps for tests: real proofs about credentials and commitments of demo schemes, right ones and ones that no wallet library makes. They
 *  include the part of a keyshare server if the test gives one. @module */
import { createPrivateKey, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CompactSign } from 'jose'
import { encodeAttribute } from '../../crypto/attribute.ts'
import { toBase64 } from '../../crypto/bytes.ts'
import { hashCommit } from '../../crypto/challenge.ts'
import { type CommitmentProof, draftCommitment } from '../../crypto/commitment.ts'
import { type DisclosureProof, draftDisclosure, type OwnedCredential } from '../../crypto/disclosure.ts'
import { type Contribution, type HiddenExponent, hide } from '../../crypto/draft.ts'
import { encodeMetadata } from '../../crypto/metadata.ts'
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import { signatureNonce } from '../../crypto/timestamp.ts'
import { signAttributes } from '../../libraries/testing/sign-attributes.ts'
import { commitmentMessage } from '../../protocol/commitment-message.ts'
import { disclosureMessage } from '../../protocol/disclosure-message.ts'
import { issuerOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import { writeJson } from '../../protocol/json.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import type { DisclosureIndices } from '../../protocol/proofs-json.ts'
import { type ExtendedRequest, parseSessionRequest } from '../../protocol/request.ts'
import type { JsonObject } from '../../protocol/shape.ts'
import { signedMessage } from '../../protocol/signed-message.ts'
import type { SubmissionToCheck } from '../../sessions/check-submission.ts'
import type { LongValues } from '../../sessions/hashed-values.ts'
import { randomBlindIndices } from '../../sessions/issue-credentials.ts'
import { PROJECT } from '../project.ts'
import { CHECKING } from './facts-of-test.ts'
import { arithmetic, judged, onlySubmission, type SubmissionOutcome, schemes } from './submissions.ts'

export const WEEK_SEC = 604_800
export const NOW_SEC = 2968 * WEEK_SEC + 1000
export const NONCE = 2n ** 100n + 7n
export const N2 = 11n
export const SECRET = 2n ** 200n + 1n
export const OTHER_SECRET = 2n ** 201n + 3n
export const NOTE = 'svc-demo.fast.note'
export const LOT = 'svc-demo.fast.lot'
export const LOYALTY = 'svc-keyshare.shop.loyalty'

export function keyOf(type: string, counter = 0): IssuerPublicKey {
  const key = schemes.publicKey(issuerOf(parseCredentialTypeId(type)), counter)
  if (key === undefined) throw new Error(`${type}: no key ${counter}`)
  return key
}

type Times = { readonly signedAtSec?: number; readonly expiresAtSec?: number; readonly secretKey?: bigint }

/** A credential with these attributes, in the order of the scheme. */
export function credential(
  type: string,
  values: readonly (string | null)[],
  times: Times = {},
): OwnedCredential {
  const { signedAtSec = NOW_SEC - WEEK_SEC, expiresAtSec = NOW_SEC + WEEK_SEC, secretKey = SECRET } = times
  const key = keyOf(type)
  const privateKey = schemes.privateKey(issuerOf(parseCredentialTypeId(type)), 0)
  if (privateKey === undefined) throw new Error(`${type}: no private key`)
  const metadata = encodeMetadata({
    issuedAtSec: signedAtSec,
    expiresAtSec,
    keyCounter: 0,
    credentialType: type,
  })
  const attributes = [metadata, ...values.map(value => encodeAttribute(value))]
  return {
    key,
    attributes,
    signature: signAttributes(arithmetic, { key, privateKey, secretKey, attributes }, randomBytes),
  }
}

/** A keyshare server's part of a user's secret, and its randomizer. */
export type Keyshare = { readonly mk: bigint; readonly w: bigint }

/** One proof of a message. */
export type Part = { readonly secret?: HiddenExponent; readonly keyshare?: Keyshare } & (
  | { readonly credential: OwnedCredential; readonly disclosed: readonly number[] }
  | { readonly commitTo: string; readonly key?: IssuerPublicKey; readonly randomBlind?: readonly number[] }
)

export type Message = {
  readonly c: bigint
  readonly disclosures: readonly DisclosureProof[]
  readonly commitments: readonly CommitmentProof[]
}

export function secretOf(value = SECRET): HiddenExponent {
  return hide(value, 592, randomBytes)
}

/** One challenge over all parts, in their order, disclosures first. */
export function prove(
  parts: readonly Part[],
  shared = secretOf(),
  { nonce, isSignature } = { nonce: NONCE, isSignature: false },
): Message {
  const drafts = parts.map(part => draftOf(part, part.secret ?? shared))
  const contributions = drafts.flatMap(({ contribution }, i) => withKeyshare(contribution, parts[i]))
  const c = hashCommit([1n, ...contributions, nonce], isSignature)
  const proofs = drafts.map(({ respond }) => respond(c))
  return {
    c,
    disclosures: proofs.flatMap(proof => ('A' in proof ? [proof] : [])),
    commitments: proofs.flatMap(proof => ('A' in proof ? [] : [proof.proof])),
  }
}

function draftOf(part: Part, secret: HiddenExponent) {
  if ('credential' in part) return draftDisclosure(arithmetic, part, secret, randomBytes)
  const type = schemes.credentialType(parseCredentialTypeId(part.commitTo))
  const { key = keyOf(part.commitTo), randomBlind = type ? randomBlindIndices(type) : [] } = part
  return draftCommitment(arithmetic, { key, randomBlind }, secret, randomBytes)
}

/** A keyshare server contributes to the commitment to the secret key, and to U. */
function withKeyshare([first, second, ...more]: Contribution, part: Part | undefined): bigint[] {
  if (part?.keyshare === undefined) return [first, second, ...more]
  const { n, R } = 'credential' in part ? part.credential.key : (part.key ?? keyOf(part.commitTo))
  const power = (exponent: bigint): bigint => arithmetic.power(R[0] ?? 0n, exponent, n)
  const U = 'credential' in part ? first : (first * power(part.keyshare.mk)) % n
  return [U, (second * power(part.keyshare.w)) % n]
}

/** The JWT of the keyshare server, for the key of `type`. */
export async function keyshareJwt(
  { mk, w }: Keyshare,
  c: bigint,
  { n, R } = keyOf(LOYALTY),
): Promise<string> {
  const P = toBase64(arithmetic.power(R[0] ?? 0n, mk, n))
  return signJwt({ P, c: toBase64(c), s_response: toBase64(w + c * mk) })
}

export function signJwt(ProofP: object): Promise<string> {
  const key = createPrivateKey(readFileSync(join(PROJECT, 'test/vectors/keys/kss-0.private.pem')))
  const claims = JSON.stringify({ ProofP, iat: NOW_SEC, sub: 'ProofP' })
  return new CompactSign(Buffer.from(claims)).setProtectedHeader({ alg: 'RS256', kid: '0' }).sign(key)
}

export const AGREED = 'I agree'

/** Like `prove`, for a signature of that message. */
export function proveSignature(parts: readonly Part[], message = AGREED): Message {
  const answer = { nonce: signatureNonce(NONCE, message, null), isSignature: true }
  return prove(parts, undefined, answer)
}

/** The body of `POST /proofs` in a signature session. */
export function signatureBody(
  { disclosures: proofs }: Pick<Message, 'disclosures'>,
  indices: DisclosureIndices,
  message = AGREED,
): string {
  const facts = { version: 2, nonce: NONCE, context: 1n, message, timestamp: null } as const
  return writeJson(signedMessage({ ...facts, proofs, indices }, PROFILES.irma.contextBase))
}

/** The body of `POST /proofs` in a disclosure session. */
export function disclosureBody(
  { disclosures }: Pick<Message, 'disclosures'>,
  indices: DisclosureIndices,
): string {
  return writeJson(disclosureMessage(disclosures, indices))
}

type Extra = {
  readonly indices?: readonly (readonly { readonly cred: number; readonly attr: number }[])[]
  readonly proofPJwts?: ReadonlyMap<string, string>
}

/** The body of `POST /commitments`. */
export function commitmentBody(
  { disclosures, commitments }: Omit<Message, 'c'>,
  { indices = [], proofPJwts = new Map() }: Extra = {},
): string {
  return writeJson(commitmentMessage({ n2: N2, disclosures, commitments, indices, proofPJwts }))
}

export const { services } = onlySubmission('transcripts/issuance-one-credential')
const ATTRIBUTES: Readonly<Record<string, object>> = {
  [NOTE]: { text: 'x' },
  [LOT]: {},
  [LOYALTY]: { number: '1' },
}

export type IssuanceSession = {
  readonly types: readonly string[]
  /** attributes */
  readonly disclose?: readonly string[]
  /** the minor number of the protocol version */
  readonly minor?: number
  readonly longValues?: LongValues
}

/** The outcome of a body in a session that issues these types. */
export function judgeIssuance(body: string, session: IssuanceSession): Promise<SubmissionOutcome> {
  return judged({ input: submissionOfIssuance(body, session), services })
}

export function submissionOfIssuance(
  body: string,
  { types, disclose = [], minor = 8, longValues = 'allow' }: IssuanceSession,
): SubmissionToCheck {
  const request = {
    '@context': 'https://irma.app/ld/request/issuance/v2',
    credentials: types.map(type => ({
      credential: type,
      validity: NOW_SEC + 9 * WEEK_SEC,
      attributes: { ...ATTRIBUTES[type] },
    })),
    disclose: disclose.map(id => [[id]]),
  }
  return submissionOf(body, request, { protocolVersion: { major: 2, minor }, longValues })
}

/** The outcome of a body in the session of a request, after the previous sessions of its chain. */
export function judgeSession(
  body: string,
  request: JsonObject,
  facts: SessionFacts = {},
): Promise<SubmissionOutcome> {
  return judged({ input: submissionOf(body, request, facts), services })
}

type SessionFacts = Partial<
  Pick<SubmissionToCheck, 'protocolVersion' | 'longValues'> & Pick<ExtendedRequest, 'implicitDisclose'>
>

function submissionOf(body: string, request: JsonObject, facts: SessionFacts): SubmissionToCheck {
  const { protocolVersion = { major: 2, minor: 8 }, implicitDisclose = [], longValues = 'allow' } = facts
  const extended = { ...parseSessionRequest(request, PROFILES.irma), implicitDisclose }
  return {
    extended,
    body,
    protocolVersion,
    nonce: NONCE,
    nowSec: NOW_SEC,
    schemes,
    contextBase: PROFILES.irma.contextBase,
    ...CHECKING,
    longValues,
  }
}

export async function toldOfIssuance(body: string, session: IssuanceSession): Promise<string> {
  return (await judgeIssuance(body, session)).told
}
