/** Checks a request before its session starts, in addition to its form (spec/session-server#6.1 step 4 and #6.7): its identifiers exist in the
 *  schemes, and this server supports it. @module */
import { InvalidRequestError } from '../protocol/errors.ts'
import {
  type AttributeRequestId,
  attributeNameOf,
  attributeTypeId,
  type CredentialTypeId,
  credentialTypeOf,
  isCredentialTypeId,
  issuerOf,
  type SchemeId,
  schemeOf,
} from '../protocol/ids.ts'
import type { Profile } from '../protocol/profiles.ts'
import { attributeRequests, type ExtendedRequest, type SessionRequest } from '../protocol/request.ts'
import type { CredentialRequest } from '../protocol/request-members.ts'
import { isReturnUrl, withToken } from '../protocol/return-url.ts'
import type { SdJwtIssuers } from '../schemes/sd-jwt/issuers.ts'
import type { Schemes } from '../schemes/types.ts'
import { type Issuer, prepareCredential } from './prepare-credentials.ts'
import { checkBatches } from './sd-jwt-batches.ts'

export type PrepareOptions = Pick<Issuer, 'nowSec' | 'canIssueRevocable' | 'longValues'> & {
  readonly profile: Pick<Profile, 'innerConjunctionRule' | 'severalKeyshareSchemes'>
  /** the server option `augment_client_return_url` */
  readonly augmentAllowed: boolean
  /** the server option `max_client_return_url`, characters */
  readonly maxClientReturnUrl: number
  /** null: requested SD-JWTs are not issued */
  readonly sdJwtIssuers: SdJwtIssuers | null
}

/** The request names an identifier that a scheme of this server does not have, or omits a required attribute. Another version of the scheme may
 *  accept it. */
export class NotInSchemesError extends InvalidRequestError {}

/** The request as the session stores it: with keys, validities and names of random blind attributes for the credentials to issue.
 *  @throws {InvalidRequestError} names the first error
 *  @throws {NotInSchemesError} if another version of the schemes may accept the request */
export function prepareRequest(
  extended: ExtendedRequest,
  schemes: Schemes,
  { profile, augmentAllowed, maxClientReturnUrl, sdJwtIssuers, ...options }: PrepareOptions,
): ExtendedRequest {
  const { request } = extended
  checkKnown(request, schemes)
  checkRequired(credentialsOf(request), schemes)
  checkNonRevocation(request, schemes)
  checkReturnUrl(request, { augmentAllowed, maxClientReturnUrl })
  if (profile.innerConjunctionRule === 'one-non-singleton') checkSingletons(request, schemes)
  if (request.type !== 'issuing') return extended
  if (profile.severalKeyshareSchemes === 'refused') checkKeyshareSchemes(extended, schemes)
  const credentials = request.credentials.map(each => prepareCredential(each, { ...options, schemes }))
  checkBatches(credentials, { issuers: sdJwtIssuers, nowSec: options.nowSec })
  return { ...extended, request: { ...request, credentials } }
}

function credentialsOf(request: SessionRequest): readonly CredentialRequest[] {
  return request.type === 'issuing' ? request.credentials : []
}

/** Lists unknown schemes, then issuers, credential types and attributes. The unknown parts of an unknown identifier are listed too, except attributes
 *  of an unknown type. */
function checkKnown(request: SessionRequest, schemes: Schemes): void {
  const types = [
    ...credentialsOf(request).flatMap(namedIn),
    ...attributeRequests(request).map(({ type }) => type),
  ]
  const noSchemes = types.map(schemeOf).filter(id => schemes.scheme(id) === undefined)
  const unknown = [
    ...noSchemes,
    ...types.map(issuerOf).filter(id => schemes.issuer(id) === undefined),
    ...types.map(credentialTypeOf).filter(id => schemes.credentialType(id) === undefined),
    ...types.filter(id => !isCredentialTypeId(id) && isUnknownAttribute(id)),
  ]
  if (unknown.length === 0) return
  const message = `Unknown identifiers: ${[...new Set(unknown)].join(', ')}`
  throw noSchemes.length > 0 ? new InvalidRequestError(message) : new NotInSchemesError(message)

  function isUnknownAttribute(id: AttributeRequestId): boolean {
    const type = schemes.credentialType(credentialTypeOf(id))
    return type !== undefined && !type.attributes.some(attribute => attribute.id === id)
  }
}

function namedIn({ credential, attributes }: CredentialRequest): AttributeRequestId[] {
  return [credential, ...Object.keys(attributes).map(name => attributeTypeId(credential, name))]
}

/** Random blind attributes and the revocation attribute get their values when the credential is issued. */
function checkRequired(credentials: readonly CredentialRequest[], schemes: Schemes): void {
  const missing = credentials.flatMap(({ credential, attributes }) =>
    (schemes.credentialType(credential)?.attributes ?? [])
      .filter(({ isOptional, isRandomBlind, isRevocation }) => !isOptional && !isRandomBlind && !isRevocation)
      .filter(({ id }) => !Object.hasOwn(attributes, attributeNameOf(id)))
      .map(({ id }) => id),
  )
  if (missing.length > 0)
    throw new NotInSchemesError(`Required attributes are missing: ${missing.join(', ')}`)
}

function checkNonRevocation(request: SessionRequest, schemes: Schemes): void {
  for (const { credential } of request.nonRevocation) {
    const why = `cannot request nonrevocation proof for ${credential}:`
    const type = schemes.credentialType(credential)
    if (type === undefined) throw new InvalidRequestError(`${why} unknown credential type`)
    if (!type.supportsRevocation) throw new InvalidRequestError(`${why} revocation not enabled in scheme`)
  }
}

/** The length is that of the request: the token comes later (spec/decisions#max_client_return_url). */
function checkReturnUrl(
  { augmentReturnUrl, clientReturnUrl }: SessionRequest,
  { augmentAllowed, maxClientReturnUrl: max }: Pick<PrepareOptions, 'augmentAllowed' | 'maxClientReturnUrl'>,
): void {
  if (clientReturnUrl.length > max)
    throw new InvalidRequestError(
      `clientReturnUrl: expected at most ${max} characters ("max_client_return_url"), got ${clientReturnUrl.length}`,
    )
  if (clientReturnUrl !== '' && !isReturnUrl(clientReturnUrl))
    throw new InvalidRequestError(
      'clientReturnUrl: expected a URL of a web site or an app, such as https://shop.example/back or shopapp://back, got another text',
    )
  if (!augmentReturnUrl) return
  if (!augmentAllowed)
    throw new InvalidRequestError('augmenting client return url not enabled in server configuration')
  if (clientReturnUrl === '')
    throw new InvalidRequestError('cannot augment empty client return url: expected a clientReturnUrl')
}

/** This rule replaces rule 2 of spec/interface#2.4 in some profiles; it needs the schemes (spec/decisions#d10). */
function checkSingletons(request: SessionRequest, schemes: Schemes): void {
  for (const inner of request.disclose.flat()) {
    const types = new Set<CredentialTypeId>(inner.map(({ type }) => credentialTypeOf(type)))
    const several = [...types].filter(id => schemes.credentialType(id)?.isSingleton === false)
    if (several.length > 1)
      throw new InvalidRequestError(
        `Multiple non-singletons within one inner conjunction are not allowed: ${several.join(', ')}`,
      )
  }
}

/** In some profiles an issuance message has room for only one keyshare server (spec/interface#4.6 rule 5, spec/decisions#d13). The request is refused if every choice of
 *  the user needs more than one. */
function checkKeyshareSchemes({ request, implicitDisclose }: ExtendedRequest, schemes: Schemes): void {
  const issued = credentialsOf(request).map(({ credential }) => credential)
  const disclose = [...request.disclose, ...implicitDisclose].map(disjunction =>
    disjunction.map(inner =>
      keyshareSchemes(
        inner.map(({ type }) => type),
        schemes,
      ),
    ),
  )
  const all = new Set([...keyshareSchemes(issued, schemes), ...disclose.flat(2)])
  const isEnough = (only: SchemeId): boolean =>
    keyshareSchemes(issued, schemes).every(id => id === only) &&
    disclose.every(disjunction => disjunction.some(inner => inner.every(id => id === only)))
  if (all.size > 1 && ![...all].some(isEnough))
    throw new InvalidRequestError(
      `issuance: expected at most one scheme with a keyshare server, got ${[...all].join(', ')}`,
    )
}

function keyshareSchemes(ids: readonly AttributeRequestId[], schemes: Schemes): SchemeId[] {
  return ids.map(schemeOf).filter(id => schemes.scheme(id)?.keyshareServer)
}

/** With `augmentReturnUrl`, adds the requestor token to the return URL (spec/interface#2.3).
 *  @param requestorToken secret */
export function withReturnToken(extended: ExtendedRequest, requestorToken: string): ExtendedRequest {
  const { augmentReturnUrl, clientReturnUrl } = extended.request
  if (!augmentReturnUrl) return extended
  const url = withToken(clientReturnUrl, requestorToken)
  return { ...extended, request: { ...extended.request, clientReturnUrl: url } }
}
