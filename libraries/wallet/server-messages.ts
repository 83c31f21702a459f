/** Reads the answers of a session server to a wallet app (spec/interface#2.9; spec/session-server#7). They are not trusted: it checks shape, version and size, and
 *  refuses addresses that could run code. @module */
import { bitLength } from '../../crypto/bytes.ts'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { readBigInteger } from '../../protocol/big-integers.ts'
import { RemoteError } from '../../protocol/errors.ts'
import { type CredentialTypeId, parseCredentialTypeId } from '../../protocol/ids.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type { Profile } from '../../protocol/profiles.ts'
import { type IssuanceRequest, parseSessionRequest, type SessionRequest } from '../../protocol/request.ts'
import { isReturnUrl } from '../../protocol/return-url.ts'
import { readUpdate } from '../../protocol/revocation-json.ts'
import {
  type IssuedCredential,
  readIssuedCredentials,
  readProofStatus,
} from '../../protocol/server-session-response.ts'
import {
  isObject,
  type JsonObject,
  readBoolean,
  readList,
  readMap,
  readObject,
  readString,
  readText,
  ShapeError,
} from '../../protocol/shape.ts'
import { PROTOCOL_VERSION } from './calls.ts'
import { SessionError } from './failure.ts'
import type { OfferRequest } from './offers.ts'

const CLIENT_REQUEST = '/ld/request/client/v1'
const PAIRING_CODE = /^[0-9]{4}$/
const MAX_NONCE_BITS = 256
const KEY_COUNTER = /^(?:0|[1-9][0-9]{0,8})$/

export type Connection = {
  /** with the context base of this server */
  readonly profile: Profile
  /** null: no pairing */
  readonly pairingCode: string | null
  /** null: fetched after pairing */
  readonly request: DeliveredRequest | null
}

/** The revocation updates in the request, by key counter. They are not verified. */
export type DeliveredUpdates = ReadonlyMap<CredentialTypeId, ReadonlyMap<number, RevocationUpdate>>

export type DeliveredRequest = {
  readonly request: SessionRequest
  /** offers of an issuance, otherwise empty */
  readonly offered: readonly OfferRequest[]
  /** for the types that `request.nonRevocation` names */
  readonly updates: DeliveredUpdates
  readonly devMode: boolean
  readonly context: bigint
  readonly nonce: bigint
  /** base of the contexts of messages to this server */
  readonly contextBase: string
  /** an address that cannot run code or read files; null: none */
  readonly clientReturnUrl: string | null
}

/** Reads the answer to the first GET.
 *  @throws {SessionError} */
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

/** Reads the answer to `/request`.
 *  @param profile from `readConnection`
 *  @throws {SessionError} */
export function readDelivered(text: string, profile: Profile): DeliveredRequest {
  return reading(() => deliveredOf(readObject(readText(text), 'request'), profile))
}

/** The answer to a submission. */
export type SubmissionAnswer = {
  readonly proofStatus: string
  /** one per requested credential, if the proofs are valid; not verified */
  readonly issued: readonly IssuedCredential[]
  /** SD-JWTs, not verified; empty: the server issues none */
  readonly sdJwts: readonly string[]
  /** not parsed, so that an invalid one has no effect on this session; null: none */
  readonly nextSession: JsonValue
}

/** Reads the answer to the submission of proofs or commitments.
 *  @param count number of requested credentials
 *  @throws {SessionError} */
export function readSubmissionAnswer(text: string, count: number): SubmissionAnswer {
  return reading(() => {
    const json = readObject(readText(text), 'server session response')
    const proofStatus = readProofStatus(json.proofStatus)
    if (proofStatus !== 'VALID') return { proofStatus, issued: [], sdJwts: [], nextSession: null }
    const sdJwts = readList(json.sdjwts, 'sdjwts').map(each => readString(each, 'sdjwts: element'))
    return {
      proofStatus,
      issued: readSigs(json.sigs, count),
      sdJwts,
      nextSession: json.nextSession ?? null,
    }
  })
}

/** Refuses a `KeyshareP`: an issuer has no share of the secret key. */
function readSigs(json: JsonValue | undefined, count: number): IssuedCredential[] {
  for (const sig of readList(json, 'sigs')) {
    const { KeyshareP } = readObject(readObject(sig, 'sigs: element').signature, 'sigs: signature')
    if (KeyshareP !== undefined && KeyshareP !== null) throw new ShapeError('sigs: expected no KeyshareP')
  }
  return readIssuedCredentials(json, count)
}

/** Converts an error of a parser to the failure `malformed-answer`. */
function reading<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    const isForm = error instanceof ShapeError || error instanceof RemoteError
    if (isForm) throw new SessionError('malformed-answer', `the server's answer: ${error.message}`)
    throw error
  }
}

function requireVersion(json: JsonObject): void {
  const version = readString(json.protocolVersion, 'protocolVersion')
  if (version !== PROTOCOL_VERSION)
    throw new SessionError('protocol-version', `expected protocol version ${PROTOCOL_VERSION}, got another`)
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
  if (isLegacy) throw new ShapeError('@context: expected the context of a session request, got none')
  requireVersion(json)
  return {
    request,
    offered: request.type === 'issuing' ? readOffered(request, json.credentials) : [],
    updates: isObject(json.revocation) ? readUpdates(json.revocation) : new Map(),
    devMode: readBoolean(json.devMode, 'devMode'),
    context: readContext(json.context),
    nonce: readNonce(json.nonce),
    contextBase: profile.contextBase,
    clientReturnUrl: isReturnUrl(request.clientReturnUrl) ? request.clientReturnUrl : null,
  }
}

function readOffered({ credentials }: IssuanceRequest, json: JsonValue | undefined): OfferRequest[] {
  const list = readList(json, 'credentials')
  return credentials.map((credential, i) => {
    const { revocationSupported } = readObject(list[i], 'credentials: element')
    return { ...credential, revocationSupported: readBoolean(revocationSupported, 'revocationSupported') }
  })
}

function readUpdates(json: JsonObject): DeliveredUpdates {
  return new Map(
    Object.entries(json).map(([id, entry]) => {
      const updates = readMap(readMap(entry, `revocation.${id}`).updates, `revocation.${id}.updates`)
      return [parseCredentialTypeId(id), new Map(Object.entries(updates).map(updateOf))]
    }),
  )
}

function updateOf([counter, json]: [string, JsonValue]): [number, RevocationUpdate] {
  if (!KEY_COUNTER.test(counter))
    throw new ShapeError('updates: expected key counters as member names, got something else')
  return [Number(counter), readUpdate(json, 'update')]
}

/** The context is always 1 (spec/interface#2.9). A proof with another context would serve another purpose. */
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
