/** Session requests (spec/interface#2.3 to #2.6) of the three types: reading and storing. Reading checks every rule that needs neither the schemes nor the requestor, and
 *  ignores unknown members. The parsed form is the same for all wire forms and profiles. @module */
import { contextOf } from './contexts.ts'
import { type AttributeRequest, checkDisclose, type Disjunction, readDisclose } from './disjunction.ts'
import { InvalidRequestError } from './errors.ts'
import { type CredentialTypeId, parseCredentialTypeId } from './ids.ts'
import type { JsonValue } from './json.ts'
import { legacyType, readLegacyDisclose } from './legacy-request.ts'
import { PROFILES, type Profile } from './profiles.ts'
import {
  type CredentialRequest,
  type Labels,
  type NonRevocationRequest,
  readHost,
  readLabels,
  readNonRevocation,
  readSpecific,
} from './request-members.ts'
import {
  isObject,
  type JsonObject,
  mapShapeErrors,
  readBoolean,
  readInteger,
  readList,
  readObject,
  readString,
  readText,
  ShapeError,
} from './shape.ts'
import { StoredValue } from './stored-value.ts'

export type SessionType = 'disclosing' | 'signing' | 'issuing'

type AnyRequest = {
  readonly disclose: readonly Disjunction[]
  readonly labels: Labels
  /** credential types whose expired instances are accepted; not checked against the schemes */
  readonly skipExpiryCheck: readonly CredentialTypeId[]
  readonly nonRevocation: readonly NonRevocationRequest[]
  /** empty: none */
  readonly clientReturnUrl: string
  readonly augmentReturnUrl: boolean
  /** host, and optional port, that the wallet app must use; empty: those of the server's URL */
  readonly host: string
}

export type DisclosureRequest = AnyRequest & { readonly type: 'disclosing' }
/** `disclose` may be empty (spec/decisions#d6). */
export type SignatureRequest = AnyRequest & { readonly type: 'signing'; readonly message: string }
export type IssuanceRequest = AnyRequest & {
  readonly type: 'issuing'
  readonly credentials: readonly CredentialRequest[]
}
export type SessionRequest = DisclosureRequest | SignatureRequest | IssuanceRequest

export type ExtendedRequest = {
  readonly request: SessionRequest
  /** validity of the result JWT */
  readonly validitySec: number
  /** 0: the default of the server */
  readonly timeoutSec: number
  /** empty: no callback */
  readonly callbackUrl: string
  readonly nextSession: { readonly url: string } | null
  /** Attributes that earlier sessions of a chain disclosed and that must be disclosed again. Never sent to the app. */
  readonly implicitDisclose: readonly Disjunction[]
  /** true for a request in the form without conjunctions */
  readonly isLegacy: boolean
  /** The requestor's trace, as `traceparent` (ports/traces.ts). Calls to the requestor continue it. Left out if a wallet app started the session: requestors do not
   *  get that trace. */
  readonly traceparent?: string
  /** Version of the schemes (schemes/version-text.ts) with which the request was accepted. The answer of the wallet app is verified and signed with the same
   *  version. Left out: the request is not accepted yet, or an earlier version of this program accepted it. */
  readonly schemesVersion?: string
}

/** The members of an extended request: the session request and its options. */
export const EXTENDED_MEMBERS = ['request', 'validity', 'timeout', 'callbackUrl', 'nextSession'] as const

/** Maximum of `timeout` and `validity` (spec/decisions#timeout-and-validity): a week. */
export const MAX_SECONDS = 604_800
/** Default validity of the result JWT (spec/interface#2.6). */
const DEFAULT_VALIDITY_SEC = 120

/** Reads the body of `POST /session`, or of the answer of a `nextSession` URL.
 *  @throws {InvalidRequestError} also if it is not JSON */
export function parseSessionRequestText(text: string, profile: Profile): ExtendedRequest {
  return parseAskedRequest(readSessionRequestText(text), profile)
}

/** Reads a session request of a requestor.
 *  @throws {InvalidRequestError} with expected and got */
export function parseAskedRequest(json: JsonValue, profile: Profile): ExtendedRequest {
  const parsed = parseSessionRequest(json, profile)
  const stray = profile.strayOptions === 'refused' ? strayOptions(json) : []
  if (stray.length === 0) return parsed
  throw new InvalidRequestError(
    `session request: expected an extended request for ${stray.map(name => JSON.stringify(name)).join(', ')}, got "@context" beside it; move the session request with its "@context" into "request"`,
  )
}

/** @returns names of members of an extended request in a request that is not extended, where they would be ignored */
function strayOptions(json: JsonValue): readonly string[] {
  if (!isObject(json) || !isBare(json)) return []
  return EXTENDED_MEMBERS.filter(name => json[name] !== undefined && json[name] !== null)
}

/** True if the body is the session request itself, without options around it. */
export function isBare(body: JsonObject): boolean {
  const { '@context': context, request } = body
  return (typeof context === 'string' && context !== '') || !isObject(request)
}

/** @throws {InvalidRequestError} if it is not JSON */
export function readSessionRequestText(text: string): JsonValue {
  return mapShapeErrors(InvalidRequestError, () => readText(text))
}

/** @throws {InvalidRequestError} with expected and got */
export function parseSessionRequest(json: JsonValue, profile: Profile): ExtendedRequest {
  return mapShapeErrors(InvalidRequestError, () => {
    const body = readObject(json, 'session request')
    if (readString(body['@context'], '@context') !== '')
      return extended({}, body, modernType(body, profile), profile)
    const inner = body.request
    if (isObject(inner) && readString(inner['@context'], 'request.@context') !== '')
      return extended(body, inner, modernType(inner, profile), profile)
    return isObject(inner) ? extended(body, inner, null, profile) : extended({}, body, null, profile)
  })
}

const TYPES: readonly SessionType[] = ['disclosing', 'signing', 'issuing']

function modernType(json: JsonObject, { contextBase, name }: Profile): SessionType {
  const context = readString(json['@context'], '@context')
  const typeIn = (base: string) => TYPES.find(each => contextOf(base, each) === context)
  const type = typeIn(contextBase)
  if (type !== undefined) return type
  const contexts = TYPES.map(each => contextOf(contextBase, each))
  const others = Object.values(PROFILES).filter(each => each.name !== name)
  const other = others.find(each => typeIn(each.contextBase) !== undefined)
  const got = other ? `, got that of the profile ${other.name}; this server has the profile ${name}` : ''
  throw new ShapeError(
    `Invalid session request type: expected one of ${contexts.join(', ')} as @context${got}`,
  )
}

/** @param type null: the legacy form */
function extended(
  options: JsonObject,
  json: JsonObject,
  type: SessionType | null,
  profile: Profile,
): ExtendedRequest {
  const { validity, timeout, callbackUrl, nextSession } = options
  return {
    validitySec: readInteger(validity, 'validity', MAX_SECONDS) || DEFAULT_VALIDITY_SEC,
    timeoutSec: readInteger(timeout, 'timeout', MAX_SECONDS),
    callbackUrl: readString(callbackUrl, 'callbackUrl'),
    nextSession:
      nextSession === undefined || nextSession === null
        ? null
        : { url: readString(readObject(nextSession, 'nextSession').url, 'nextSession.url') },
    request: readRequest(json, type, profile),
    implicitDisclose: [],
    isLegacy: type === null,
  }
}

function readRequest(json: JsonObject, modern: SessionType | null, profile: Profile): SessionRequest {
  const type = modern ?? legacyType(json)
  const { disclose, labels } =
    modern === null
      ? readLegacyDisclose(json, type)
      : { disclose: readDisclose(json.disclose), labels: readLabels(json.labels) }
  const specific = readSpecific(json, type, disclose)
  const common = {
    disclose: checkDisclose(disclose, profile),
    labels,
    skipExpiryCheck: readList(json.skipExpiryCheck, 'skipExpiryCheck').map((id, i) =>
      parseCredentialTypeId(readString(id, `skipExpiryCheck[${i}]`)),
    ),
    nonRevocation: readNonRevocation(json.revocation),
    clientReturnUrl: readString(json.clientReturnUrl, 'clientReturnUrl'),
    augmentReturnUrl: readBoolean(json.augmentReturnUrl, 'augmentReturnUrl'),
    host: readHost(json.host),
  }
  return { ...common, ...specific } // Node 20 is slow at adding many members to a copy of few
}

/** Value of the column `request`. */
export function storeRequest(request: ExtendedRequest): StoredValue<ExtendedRequest> {
  return restoreRequest(JSON.stringify(request))
}

/** Requests stored by version 0.1.0 have no chains. */
type StoredRequest = Omit<ExtendedRequest, 'implicitDisclose'> & Partial<ExtendedRequest>

/** @param text output of `storeRequest`, of this version or an earlier one */
export function restoreRequest(text: string): StoredValue<ExtendedRequest> {
  return new StoredValue(text, json => {
    const stored = json as StoredRequest // written by this program, and checked when it was parsed
    return { ...stored, implicitDisclose: stored.implicitDisclose ?? [] }
  })
}

/** All attribute requests, in order. */
export function attributeRequests(request: SessionRequest): AttributeRequest[] {
  return request.disclose.flat(2)
}
