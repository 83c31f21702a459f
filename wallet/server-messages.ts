/** What a session server answers a wallet app (spec 2.9; session-server note 7), read with distrust: shape, version, size, and addresses
 *  that must not run code. @module */
import { bitLength } from '../crypto/bytes.ts'
import { readBigInteger } from '../protocol/big-integers.ts'
import { RemoteError } from '../protocol/errors.ts'
import type { JsonValue } from '../protocol/json.ts'
import type { Profile } from '../protocol/profiles.ts'
import { parseSessionRequest, type SessionRequest } from '../protocol/request.ts'
import {
  type IssuedCredential,
  readIssuedCredentials,
  readProofStatus,
} from '../protocol/server-session-response.ts'
import {
  type JsonObject,
  readBoolean,
  readList,
  readObject,
  readString,
  readText,
  ShapeError,
} from '../protocol/shape.ts'
import { PROTOCOL_VERSION } from './calls.ts'
import { SessionFailure } from './failure.ts'

const CLIENT_REQUEST = '/ld/request/client/v1'
const PAIRING_CODE = /^[0-9]{4}$/
const MAX_NONCE_BITS = 256
const DANGEROUS = /^(?:javascript|data|vbscript|blob|file|about|view-source):$/

export type Connection = {
  /** with the context base that this server uses */
  readonly profile: Profile
  /** null: no pairing */
  readonly pairingCode: string | null
  /** null: to be fetched after pairing */
  readonly request: DeliveredRequest | null
}

export type DeliveredRequest = {
  readonly request: SessionRequest
  readonly devMode: boolean
  readonly context: bigint
  readonly nonce: bigint
  /** of the identifiers of messages to this server */
  readonly contextBase: string
  /** an address that does not run code or read files; null: none */
  readonly clientReturnUrl: string | null
}

/** Answer to the first GET.
 *  @throws {SessionFailure} */
export function readConnection(text: string, profile: Profile): Connection {
  return reading(() => {
    const json = readObject(readText(text), 'client session request')
    const contextName = readString(json['@context'], '@context')
    if (!contextName.endsWith(CLIENT_REQUEST))
      throw new ShapeError(`@context: expected one that ends in ${CLIENT_REQUEST}`)
    requireVersion(json)
    const known = { ...profile, contextBase: contextName.slice(0, -CLIENT_REQUEST.length) }
    const pairingCode = readPairingCode(json.options ?? {})
    return {
      profile: known,
      pairingCode,
      request: pairingCode === null ? deliveredOf(readObject(json.request, 'request'), known) : null,
    }
  })
}

/** Answer to `/request`.
 *  @param profile as `readConnection` returned it
 *  @throws {SessionFailure} */
export function readDelivered(text: string, profile: Profile): DeliveredRequest {
  return reading(() => deliveredOf(readObject(readText(text), 'request'), profile))
}

/** What a submission came to. */
export type SubmissionAnswer = {
  readonly proofStatus: string
  /** one per credential asked for, if the proofs are valid; as they came, nothing in them is checked */
  readonly issued: readonly IssuedCredential[]
  /** unread, so that a wrong one takes nothing from this session; null: there is none */
  readonly nextSession: JsonValue
}

/** Answer to the submission of proofs or commitments.
 *  @param count of credentials asked for
 *  @throws {SessionFailure} */
export function readSubmissionAnswer(text: string, count: number): SubmissionAnswer {
  return reading(() => {
    const json = readObject(readText(text), 'server session response')
    const proofStatus = readProofStatus(json.proofStatus)
    if (proofStatus !== 'VALID') return { proofStatus, issued: [], nextSession: null }
    return { proofStatus, issued: readSigs(json.sigs, count), nextSession: json.nextSession ?? null }
  })
}

/** An issuer has no part in the secret key, and no witness goes with what this wallet accepts to receive. */
function readSigs(json: JsonValue | undefined, count: number): IssuedCredential[] {
  for (const sig of readList(json, 'sigs')) {
    const { signature, nonrev } = readObject(sig, 'sigs: element')
    const { KeyshareP } = readObject(signature, 'sigs: signature')
    const isPlain = [KeyshareP, nonrev].every(each => each === undefined || each === null)
    if (!isPlain) throw new ShapeError('sigs: expected neither KeyshareP nor nonrev')
  }
  return readIssuedCredentials(json, count)
}

/** Of the parsers' messages only the form of the answer is told on. */
function reading<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    const isForm = error instanceof ShapeError || error instanceof RemoteError
    if (isForm) throw new SessionFailure('malformed-answer', `the server's answer: ${error.message}`)
    throw error
  }
}

function requireVersion(json: JsonObject): void {
  const version = readString(json.protocolVersion, 'protocolVersion')
  if (version !== PROTOCOL_VERSION)
    throw new SessionFailure('protocol-version', `expected protocol version ${PROTOCOL_VERSION}, got another`)
}

function readPairingCode(options: JsonValue): string | null {
  const json = readObject(options, 'options')
  const method = readString(json.pairingMethod, 'pairingMethod') || 'none'
  if (method === 'none') return null
  const code = readString(json.pairingCode, 'pairingCode')
  if (method !== 'pin' || !PAIRING_CODE.test(code))
    throw new ShapeError('options: expected the pairing method "none", or "pin" with a code of four digits')
  return code
}

function deliveredOf(json: JsonObject, profile: Profile): DeliveredRequest {
  const { request, isLegacy } = parseSessionRequest(json, profile)
  if (isLegacy) throw new ShapeError('@context: expected that of a session request, got nothing')
  if (request.nonRevocation.length > 0)
    throw new SessionFailure('unsupported', 'expected a request without proofs of non-revocation')
  if (readList(json.credentials, 'credentials').some(isRevocable))
    throw new SessionFailure('unsupported', 'expected credentials that cannot be revoked')
  requireVersion(json)
  return {
    request,
    devMode: readBoolean(json.devMode, 'devMode'),
    context: readContext(json.context),
    nonce: readNonce(json.nonce),
    contextBase: profile.contextBase,
    clientReturnUrl: safeAddress(request.clientReturnUrl),
  }
}

function isRevocable(credential: JsonValue): boolean {
  return readBoolean(
    readObject(credential, 'credentials: element').revocationSupported,
    'revocationSupported',
  )
}

/** Always 1 (spec 2.9): a proof over another context would be one for another purpose. */
function readContext(json: JsonValue | undefined): bigint {
  const context = readBigInteger(json ?? 'AQ==', 'context')
  if (context !== 1n) throw new ShapeError('context: expected 1')
  return context
}

function readNonce(json: JsonValue | undefined): bigint {
  const nonce = readBigInteger(json, 'nonce')
  if (nonce === 0n || bitLength(nonce) > MAX_NONCE_BITS)
    throw new ShapeError(`nonce: expected a number above 0 of at most ${MAX_NONCE_BITS} bits`)
  return nonce
}

/** Nor may it draw on the user's terminal: what `URL` forgives, control characters, stands in no real address. */
function safeAddress(text: string): string | null {
  if (!URL.canParse(text) || /\p{Cc}/u.test(text)) return null
  return DANGEROUS.test(new URL(text).protocol) ? null : text
}
