/** What a session server answers a wallet app (spec 2.9; session-server note 7), read with distrust: shape, version, size, and addresses
 *  that must not run code. @module */
import { bitLength } from '../crypto/bytes.ts'
import { readBigInteger } from '../protocol/big-integers.ts'
import { RemoteError } from '../protocol/errors.ts'
import type { JsonValue } from '../protocol/json.ts'
import type { Profile } from '../protocol/profiles.ts'
import { type DisclosureRequest, parseSessionRequest } from '../protocol/request.ts'
import {
  type JsonObject,
  readBoolean,
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
const PROOF_STATUS = /^[A-Z_]{1,40}$/

export type Connection = {
  /** with the context base that this server uses */
  readonly profile: Profile
  /** null: no pairing */
  readonly pairingCode: string | null
  /** null: to be fetched after pairing */
  readonly request: DeliveredRequest | null
}

export type DeliveredRequest = {
  readonly request: DisclosureRequest
  readonly devMode: boolean
  readonly context: bigint
  readonly nonce: bigint
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

/** Answer to the proofs POST.
 *  @throws {SessionFailure} */
export function readProofStatus(text: string): string {
  return reading(() => {
    const status = readString(
      readObject(readText(text), 'server session response').proofStatus,
      'proofStatus',
    )
    if (!PROOF_STATUS.test(status)) throw new ShapeError('proofStatus: expected a word in capitals')
    return status
  })
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
  if (isLegacy) throw new ShapeError('@context: expected that of a disclosure request, got nothing')
  if (request.type !== 'disclosing')
    throw new SessionFailure('unsupported', `expected a disclosure request, got type ${request.type}`)
  if (request.nonRevocation.length > 0)
    throw new SessionFailure('unsupported', 'expected a request without proofs of non-revocation')
  requireVersion(json)
  return {
    request,
    devMode: readBoolean(json.devMode, 'devMode'),
    context: readContext(json.context),
    nonce: readNonce(json.nonce),
    clientReturnUrl: safeAddress(request.clientReturnUrl),
  }
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
