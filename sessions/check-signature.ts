/** Judges a signed message, which is an attribute-based signature (spec/cryptography#12.6 and #8.3), in the order of the spec. It checks that the
 *  message answers the request, then its timestamp, the proofs, and the attributes. It also judges a stored signature, without a session and without
 *  the network. Pure except for the services in its arguments. @module */
import { signatureNonce, verifyTimestamp } from '../crypto/timestamp.ts'
import { schemeOf } from '../protocol/ids.ts'
import { listedIndices } from '../protocol/proofs-json.ts'
import { parseSignedMessage, type SignedMessage, signedMessage } from '../protocol/signed-message.ts'
import type { Schemes } from '../schemes/types.ts'
import { CONTEXT, INVALID, judgeDisclosed, type RequestedDisclosures } from './check-disclosure.ts'
import type { CheckServices } from './checked-submission.ts'
import type { KnownProof } from './disclosed.ts'
import type { LongValues } from './hashed-values.ts'
import { hasSingletonTwice, knownProofs, proofsToVerify } from './known-proofs.ts'
import { NOTHING_KNOWN, type NonRevocationFacts } from './non-revocation.ts'
import type { Judgement } from './result.ts'

type TimeAndSchemes = { readonly nowSec: number; readonly schemes: Schemes }
type StampServices = Omit<CheckServices, 'noteFirstVersion'>
type SessionFacts = TimeAndSchemes & {
  readonly nonRevocation: NonRevocationFacts
  readonly longValues: LongValues
}

export type SignatureToCheck = SessionFacts & {
  readonly request: RequestedDisclosures & { readonly message: string }
  readonly message: SignedMessage
  readonly nonce: bigint
  readonly contextBase: string
}

const INVALID_TIMESTAMP: Judgement = { proofStatus: 'INVALID_TIMESTAMP' }

/** @returns the judgement; for every status it contains the signed message as `signature`, with the timestamp server that was asked
 *  @throws {UnknownPublicKeyError} if the issuer is known but does not have the key
 *  @throws {ExceptionError} for an index above the number of proofs
 *  @throws errors of the services, unchanged */
export async function checkSignature(input: SignatureToCheck, services: StampServices): Promise<Judgement> {
  const { message, contextBase } = input
  const { judgement, stampedBy } = await judgeAnswer(input, services)
  const timestamp =
    message.timestamp === null || stampedBy === null
      ? message.timestamp
      : { ...message.timestamp, serverUrl: stampedBy }
  return { ...judgement, signature: Object(plain(signedMessage({ ...message, timestamp }, contextBase))) }
}

/** The message as it is stored and sent: only objects and lists. A conversion through JSON text would take longer than reading the message. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const members: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value)
  return Object.fromEntries(
    members.filter(([, member]) => member !== undefined).map(([name, member]) => [name, plain(member)]),
  )
}

type Judged = {
  readonly judgement: Judgement
  /** the server whose timestamp was verified; null: no timestamp was verified */
  readonly stampedBy: string | null
}

async function judgeAnswer(input: SignatureToCheck, services: StampServices): Promise<Judged> {
  const { request, message, nonce } = input
  if (message.proofs.length === 0) return { judgement: INVALID, stampedBy: null }
  const asked = effectiveNonce({ ...message, nonce, message: request.message })
  if (message.context !== CONTEXT || effectiveNonce(message) !== asked)
    return { judgement: { proofStatus: 'UNMATCHED_REQUEST' }, stampedBy: null }
  return judgeSigned(input, services)
}

/** The nonce that the proofs of a signature answer, in place of the nonce of the session (8.1).
 *  @returns null for a message without a nonce, which answers no request */
function effectiveNonce({
  nonce,
  message,
  timestamp,
}: Pick<SignedMessage, 'nonce' | 'message' | 'timestamp'>): bigint | null {
  return nonce === null ? null : signatureNonce(nonce, message, timestamp?.signature ?? null)
}

/** From 12.6 step 3 on. */
async function judgeSigned(
  {
    request,
    message,
    nowSec,
    schemes,
    nonRevocation,
    longValues,
  }: SessionFacts & { readonly request: RequestedDisclosures; readonly message: SignedMessage },
  services: StampServices,
): Promise<Judged> {
  const { proofs, timestamp, hasUncheckedParts, indices, context } = message
  const known = knownProofs(proofs, schemes)
  const stampedBy = known === null ? null : await findStamper(known, message, { schemes, services })
  if (timestamp !== null && stampedBy === null) return { judgement: INVALID_TIMESTAMP, stampedBy }
  const nonce = effectiveNonce(message)
  if (known === null || nonce === null || context === null || hasUncheckedParts || hasSingletonTwice(known))
    return { judgement: INVALID, stampedBy }
  const isRight = await services.verify({
    disclosures: proofsToVerify(known, schemes),
    commitments: [],
    context,
    nonce,
    isSignature: true,
  })
  if (!isRight) return { judgement: INVALID, stampedBy }
  const atSec = timestamp?.timeSec ?? nowSec
  const facts = { known, indices: listedIndices(indices), nonRevocation, longValues, atSec }
  return { judgement: judgeDisclosed(request, facts), stampedBy }
}

/** Finds the timestamp server in the schemes of the disclosed credentials; the server that the message names is ignored. The signature is checked
 *  before the key, because the check of the key needs a network call.
 *  @returns null if there is no timestamp, or if it is not valid */
async function findStamper(
  known: readonly KnownProof[],
  { timestamp, message, version }: SignedMessage,
  { schemes, services }: { readonly schemes: Schemes; readonly services: StampServices },
): Promise<string | null> {
  const server = timestampServer(known, schemes)
  if (timestamp === null || server === null) return null
  const proofs = known.map(({ proof, key, type }) => ({
    A: proof.A,
    disclosed: proof.aDisclosed,
    key,
    attributeCount: type.attributes.length,
  }))
  const nonce = await services.timestampNonce({ message, version, proofs })
  if (!verifyTimestamp(timestamp, nonce)) return null
  return (await services.isTrustedStamp(server, timestamp)) ? server : null
}

/** @returns null if the schemes of the credentials name different servers or no server */
function timestampServer(known: readonly KnownProof[], schemes: Schemes): string | null {
  const servers = new Set(known.map(({ type }) => schemes.scheme(schemeOf(type.id))?.timestampServer ?? ''))
  const [server = ''] = servers
  return servers.size === 1 && server !== '' ? server : null
}

export type StoredSignature = TimeAndSchemes & {
  /** JSON, as in a session result */
  readonly text: string
  /** trusted keys of timestamp servers; a stored signature is checked without a call to them */
  readonly stampKeys: readonly Uint8Array[]
}

/** Judges a stored signature without a request: all its attributes are listed as `EXTRA`.
 *  @throws {MalformedInputError} if the text is not a signed message
 *  @throws {UnknownPublicKeyError} if the issuer is known but does not have the key
 *  @throws errors of the services, unchanged */
export async function checkStoredSignature(
  { text, stampKeys, nowSec, schemes }: StoredSignature,
  services: Pick<CheckServices, 'verify' | 'timestampNonce'>,
): Promise<Judgement> {
  const message = parseSignedMessage(text)
  if (message.proofs.length === 0) return INVALID
  const { judgement } = await judgeSigned(
    {
      request: { disclose: [], skipExpiryCheck: [], nonRevocation: [] },
      message: { ...message, indices: [] },
      nowSec,
      schemes,
      nonRevocation: NOTHING_KNOWN,
      longValues: 'allow',
    },
    {
      ...services,
      isTrustedStamp: async (_, { publicKey }) => stampKeys.some(key => Buffer.from(key).equals(publicKey)),
    },
  )
  return judgement
}
