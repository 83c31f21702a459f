/** What a request must satisfy before its session starts, beyond its own form (`spec/session-server.md` 6.1 step 4 and 6.7): what it names
 *  exists in the schemes, and this server serves it. @module */
import { InvalidRequest } from '../protocol/errors.ts'
import {
  type CredentialTypeId,
  credentialTypeOf,
  isCredentialTypeId,
  issuerOf,
  schemeOf,
} from '../protocol/ids.ts'
import type { Profile } from '../protocol/profiles.ts'
import { attributeRequests, type ExtendedRequest, type SessionRequest } from '../protocol/request.ts'
import type { Schemes } from '../schemes/types.ts'

export type PrepareOptions = {
  readonly profile: Pick<Profile, 'innerConjunctionRule'>
  /** the server option `augment-client-return-url` */
  readonly augmentAllowed: boolean
}

/** @throws {InvalidRequest} with the first thing that is wrong */
export function checkAgainstSchemes(
  extended: ExtendedRequest,
  schemes: Schemes,
  options: PrepareOptions,
): void {
  const { request, nextSession } = extended
  if (nextSession?.url === '')
    throw new InvalidRequest('nextSession provided with empty URL: expected a URL in nextSession.url')
  if (nextSession !== null) throw new InvalidRequest('chained sessions (nextSession) are not served yet')
  if (request.type === 'signing') throw new InvalidRequest('signature sessions are not served yet')
  if (request.type === 'issuing') throw new InvalidRequest('issuance sessions are not served yet')
  checkKnown(request, schemes)
  checkNonRevocation(request, schemes)
  checkReturnUrl(request, options.augmentAllowed)
  if (options.profile.innerConjunctionRule === 'one-non-singleton') checkSingletons(request, schemes)
}

/** Schemes, then issuers, credential types and attributes; of what is unknown the parts that are unknown too, but no attribute of an
 *  unknown type. */
function checkKnown(request: SessionRequest, schemes: Schemes): void {
  const types = attributeRequests(request).map(({ type }) => type)
  const unknown = [
    ...types.map(schemeOf).filter(id => schemes.scheme(id) === undefined),
    ...types.map(issuerOf).filter(id => schemes.issuer(id) === undefined),
    ...types.map(credentialTypeOf).filter(id => schemes.credentialType(id) === undefined),
    ...types.filter(id => !isCredentialTypeId(id) && isUnknownAttribute(id)),
  ]
  if (unknown.length > 0) throw new InvalidRequest(`Unknown identifiers: ${[...new Set(unknown)].join(', ')}`)

  function isUnknownAttribute(id: (typeof types)[number]): boolean {
    const type = schemes.credentialType(credentialTypeOf(id))
    return type !== undefined && !type.attributes.some(attribute => attribute.id === id)
  }
}

function checkNonRevocation(request: SessionRequest, schemes: Schemes): void {
  for (const { credential } of request.nonRevocation) {
    const why = `cannot request nonrevocation proof for ${credential}:`
    const type = schemes.credentialType(credential)
    if (type === undefined) throw new InvalidRequest(`${why} unknown credential type`)
    if (!type.supportsRevocation) throw new InvalidRequest(`${why} revocation not enabled in scheme`)
    throw new InvalidRequest(`${why} non-revocation proofs are not served yet`)
  }
}

function checkReturnUrl(
  { augmentReturnUrl, clientReturnUrl }: SessionRequest,
  augmentAllowed: boolean,
): void {
  if (!augmentReturnUrl) return
  if (!augmentAllowed)
    throw new InvalidRequest('augmenting client return url not enabled in server configuration')
  if (clientReturnUrl === '')
    throw new InvalidRequest('cannot augment empty client return url: expected a clientReturnUrl')
}

/** The rule that replaces rule 2 of spec 2.4 in some profiles and needs the schemes (D10). */
function checkSingletons(request: SessionRequest, schemes: Schemes): void {
  for (const inner of request.disclose.flat()) {
    const types = new Set<CredentialTypeId>(inner.map(({ type }) => credentialTypeOf(type)))
    const several = [...types].filter(id => schemes.credentialType(id)?.isSingleton === false)
    if (several.length > 1)
      throw new InvalidRequest(
        `Multiple non-singletons within one inner conjunction are not allowed: ${several.join(', ')}`,
      )
  }
}

/** The request as its session has it: with `augmentReturnUrl`, the return URL carries the requestor token (spec 2.3).
 *  @param requestorToken secret */
export function withReturnToken(extended: ExtendedRequest, requestorToken: string): ExtendedRequest {
  const { augmentReturnUrl, clientReturnUrl } = extended.request
  if (!augmentReturnUrl) return extended
  const url = `${clientReturnUrl}${clientReturnUrl.includes('?') ? '&' : '?'}token=${requestorToken}`
  return { ...extended, request: { ...extended.request, clientReturnUrl: url } }
}
