/** The judgement of a signed message, an attribute-based signature (`spec/cryptography.md` 12.6 and 8.3), in its order: is it the one that was asked
 *  for, when was it made, is it right, does it hold what was asked for. Also of one that was kept, without a session and without the network.
 *  Pure but for the services it is given. @module */
import { signatureNonce, verifyTimestamp } from '../crypto/timestamp.ts'
import { schemeOf } from '../protocol/ids.ts'
import { listedIndices } from '../protocol/proofs-json.ts'
import { parseSignedMessage, type SignedMessage, signedMessage } from '../protocol/signed-message.ts'
import type { Schemes } from '../schemes/types.ts'
import { type Asked, CONTEXT, INVALID, judgeDisclosed } from './check-disclosure.ts'
import type { CheckServices } from './checked.ts'
import type { KnownProof } from './disclosed.ts'
import { hasSingletonTwice, knownProofs, proofsToVerify } from './known-proofs.ts'
import { NOTHING_KNOWN, type NonRevocationFacts } from './non-revocation.ts'
import type { Judgement } from './result.ts'

type Facts = { readonly nowSec: number; readonly schemes: Schemes }
type SessionFacts = Facts & { readonly nonRevocation: NonRevocationFacts }

export type SignatureToCheck = SessionFacts & {
  readonly request: Asked & { readonly message: string }
  readonly message: SignedMessage
  readonly nonce: bigint
  readonly contextBase: string
}

const INVALID_TIMESTAMP: Judgement = { proofStatus: 'INVALID_TIMESTAMP' }

/** @returns with the signed message as `signature`, whatever the status; it names the timestamp server that was asked
 *  @throws {UnknownPublicKey} for a key that its known issuer does not have
 *  @throws {ExceptionError} for an index far beyond the proofs
 *  @throws whatever the services throw */
export async function checkSignature(input: SignatureToCheck, services: CheckServices): Promise<Judgement> {
  const { message, contextBase } = input
  const { judgement, stampedBy } = await judgeAnswer(input, services)
  const timestamp =
    message.timestamp === null || stampedBy === null
      ? message.timestamp
      : { ...message.timestamp, serverUrl: stampedBy }
  return { ...judgement, signature: Object(plain(signedMessage({ ...message, timestamp }, contextBase))) }
}

/** The message as it will be stored and answered: objects and lists alone. Not by way of a text, which takes longer than reading the message took. */
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
  /** the server whose timestamp was verified; null: none was */
  readonly stampedBy: string | null
}

async function judgeAnswer(input: SignatureToCheck, services: CheckServices): Promise<Judged> {
  const { request, message, nonce } = input
  if (message.proofs.length === 0) return { judgement: INVALID, stampedBy: null }
  const asked = effectiveNonce({ ...message, nonce, message: request.message })
  if (message.context !== CONTEXT || effectiveNonce(message) !== asked)
    return { judgement: { proofStatus: 'UNMATCHED_REQUEST' }, stampedBy: null }
  return judgeSigned(input, services)
}

/** What the proofs of a signature answer, in place of the session's nonce (8.1).
 *  @returns null for a message without a nonce, which answers nothing */
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
  }: SessionFacts & { readonly request: Asked; readonly message: SignedMessage },
  services: CheckServices,
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
  const facts = { known, indices: listedIndices(indices), nonRevocation, atSec: timestamp?.timeSec ?? nowSec }
  return { judgement: judgeDisclosed(request, facts), stampedBy }
}

/** The timestamp server of the disclosed credentials, never the one that the message names; the signature is looked at before its key,
 *  which costs a call.
 *  @returns null if there is no timestamp, or one that is not valid */
async function findStamper(
  known: readonly KnownProof[],
  { timestamp, message, version }: SignedMessage,
  { schemes, services }: { readonly schemes: Schemes; readonly services: CheckServices },
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

/** @returns null if the schemes of the credentials name different servers, or none */
function timestampServer(known: readonly KnownProof[], schemes: Schemes): string | null {
  const servers = new Set(known.map(({ type }) => schemes.scheme(schemeOf(type.id))?.timestampServer ?? ''))
  const [server = ''] = servers
  return servers.size === 1 && server !== '' ? server : null
}

export type StoredSignature = Facts & {
  /** JSON, as it stands in a session result */
  readonly text: string
  /** keys of timestamp servers that are trusted: a signature that is kept is checked without asking them */
  readonly stampKeys: readonly Uint8Array[]
}

/** Judges a signature that was kept, against no request: all its attributes are listed as `EXTRA`.
 *  @throws {MalformedInput} if it is no signed message
 *  @throws {UnknownPublicKey} for a key that its known issuer does not have
 *  @throws whatever the services throw */
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
    },
    {
      ...services,
      isTrustedStamp: async (_, { publicKey }) => stampKeys.some(key => Buffer.from(key).equals(publicKey)),
    },
  )
  return judgement
}
