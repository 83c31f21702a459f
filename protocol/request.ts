/** Session requests (spec 2.3 to 2.6): the three types as this service carries them, whatever form they have; reading them with every
 *  rule that needs neither the schemes nor the requestor, unknown members ignored; storing them. Neutral to the profile once read. @module */
import { contextOf } from './contexts.ts'
import { type AttributeRequest, checkDisclose, type Disjunction, readDisclose } from './disjunction.ts'
import { InvalidRequest } from './errors.ts'
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
  /** types of which expired instances are accepted; not checked against the schemes */
  readonly skipExpiryCheck: readonly CredentialTypeId[]
  readonly nonRevocation: readonly NonRevocationRequest[]
  /** empty: none */
  readonly clientReturnUrl: string
  readonly augmentReturnUrl: boolean
  /** host, and port if any, that the wallet app must use; empty: those of the server's URL */
  readonly host: string
}

export type DisclosureRequest = AnyRequest & { readonly type: 'disclosing' }
/** `disclose` may be empty (D6). */
export type SignatureRequest = AnyRequest & { readonly type: 'signing'; readonly message: string }
export type IssuanceRequest = AnyRequest & {
  readonly type: 'issuing'
  readonly credentials: readonly CredentialRequest[]
}
export type SessionRequest = DisclosureRequest | SignatureRequest | IssuanceRequest

export type ExtendedRequest = {
  readonly request: SessionRequest
  /** the validity of the result JWT */
  readonly validitySec: number
  /** 0: the default of the server */
  readonly timeoutSec: number
  /** empty: no callback */
  readonly callbackUrl: string
  readonly nextSession: { readonly url: string } | null
  /** what earlier sessions of a chain disclosed, to be disclosed again; never delivered to the app */
  readonly implicitDisclose: readonly Disjunction[]
  /** has the form before conjunctions */
  readonly isLegacy: boolean
  /** The trace that the requestor began the session in, as `traceparent` says it (ports/traces.ts): it goes on in what is posted to the requestor. Left out: a
   *  wallet app began the session, whose trace is nothing that a requestor is told */
  readonly traceparent?: string
  /** The version of the schemes (schemes/version-text.ts) that the request was accepted with: what the wallet app submits is judged and signed with the same. Left
   *  out: the request is not accepted yet, or it was by an earlier version of this program */
  readonly schemesVersion?: string
}

/** The members that stand around a request in the form with options. */
export const EXTENDED_MEMBERS = ['request', 'validity', 'timeout', 'callbackUrl', 'nextSession'] as const

/** The longest `timeout` and `validity` (`decisions.md`): a week. */
export const MAX_SECONDS = 604_800
/** The validity of a result JWT whose request says none (spec 2.6). */
const DEFAULT_VALIDITY_SEC = 120

/** The body of `POST /session`, or of the answer of a `nextSession` URL.
 *  @throws {InvalidRequest} also if it is not JSON */
export function parseSessionRequestText(text: string, profile: Profile): ExtendedRequest {
  return parseAskedRequest(readSessionRequestText(text), profile)
}

/** A session request as its sender wrote it.
 *  @throws {InvalidRequest} with what was expected and what it got */
export function parseAskedRequest(json: JsonValue, profile: Profile): ExtendedRequest {
  const parsed = parseSessionRequest(json, profile)
  const stray = profile.strayOptions === 'refused' ? strayOptions(json) : []
  if (stray.length === 0) return parsed
  throw new InvalidRequest(
    `session request: expected an extended request for ${stray.map(name => JSON.stringify(name)).join(', ')}, got "@context" beside it; move the session request with its "@context" into "request"`,
  )
}

/** @returns names of members of an extended request that stand in one that is not extended, where they would be ignored */
function strayOptions(json: JsonValue): readonly string[] {
  if (!isObject(json) || !isBare(json)) return []
  return EXTENDED_MEMBERS.filter(name => json[name] !== undefined && json[name] !== null)
}

/** Whether the session request stands there itself, without options around it. */
export function isBare(body: JsonObject): boolean {
  const { '@context': context, request } = body
  return (typeof context === 'string' && context !== '') || !isObject(request)
}

/** @throws {InvalidRequest} if it is not JSON */
export function readSessionRequestText(text: string): JsonValue {
  return mapShapeErrors(InvalidRequest, () => readText(text))
}

/** @throws {InvalidRequest} with what was expected and what it got */
export function parseSessionRequest(json: JsonValue, profile: Profile): ExtendedRequest {
  return mapShapeErrors(InvalidRequest, () => {
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
  return { ...common, ...specific } // Node 20 takes long to add many members to a copy of few
}

/** The column `request`. */
export function storeRequest(request: ExtendedRequest): StoredValue<ExtendedRequest> {
  return restoreRequest(JSON.stringify(request))
}

/** What version 0.1.0 stored has no chains in it. */
type StoredRequest = Omit<ExtendedRequest, 'implicitDisclose'> & Partial<ExtendedRequest>

/** @param text what `storeRequest` wrote, in this version or an earlier one */
export function restoreRequest(text: string): StoredValue<ExtendedRequest> {
  return new StoredValue(text, json => {
    const stored = json as StoredRequest // this program's own writing, checked when it was parsed
    return { ...stored, implicitDisclose: stored.implicitDisclose ?? [] }
  })
}

/** Every attribute request, in order. */
export function attributeRequests(request: SessionRequest): AttributeRequest[] {
  return request.disclose.flat(2)
}
