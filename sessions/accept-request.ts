/** Decides if a session request becomes a session (spec/session-server#6.1 steps 3 to 6). It checks the permissions of the requestor, the way
 *  its results leave, and the schemes. A request to `POST /session` and the next session of a chain pass the same checks. @module */
import type { HostRule } from '../ports/host-rule.ts'
import { addressOf, mistakeInAddress } from '../ports/outgoing-address.ts'
import { InvalidRequestError, UnsupportedError } from '../protocol/errors.ts'
import type { Profile } from '../protocol/profiles.ts'
import type { ExtendedRequest } from '../protocol/request.ts'
import type { Schemes } from '../schemes/types.ts'
import { checkPermissions, type Permissions, type Requestor } from './permissions.ts'
import { type PrepareOptions, prepareRequest } from './prepare-request.ts'

export type AcceptFacts = PrepareOptions & {
  readonly profile: Pick<Profile, 'comparedHost'>
  /** permissions that every requestor has */
  readonly globals: Permissions
  /** host, with port, of the server's URL */
  readonly urlHost: string
  /** true: there is a key to sign results, or results may leave unsigned */
  readonly mayPostResults: boolean
  /** hosts that requestors may let this server call */
  readonly outgoingHosts: HostRule
}

/** @returns the request as the session stores it; `withReturnToken` adds the token to the return URL later
 *  @throws {UnauthorizedError} names the first item that the requestor may not ask for
 *  @throws {UnsupportedError} for a callback or a next session if this server cannot post results
 *  @throws {InvalidRequestError} names the first error */
export function acceptRequest(
  extended: ExtendedRequest,
  who: Requestor,
  server: AcceptFacts & { readonly schemes: Schemes },
): ExtendedRequest {
  checkPermissions(extended, who, server)
  return acceptOwnRequest(extended, server)
}

/** Accepts a request of the server's own configuration, which needs no permission (spec/session-server#16).
 *  @throws {UnsupportedError} @throws {InvalidRequestError} as `acceptRequest` */
export function acceptOwnRequest(
  extended: ExtendedRequest,
  server: Omit<AcceptFacts, 'globals' | 'urlHost'> & { readonly schemes: Schemes },
): ExtendedRequest {
  checkFollowUps(extended, server)
  const schemesVersion = server.schemes.version
  return { ...prepareRequest(extended, server.schemes, server), schemesVersion }
}

function checkFollowUps(
  { callbackUrl, nextSession }: ExtendedRequest,
  { mayPostResults, outgoingHosts }: Pick<AcceptFacts, 'mayPostResults' | 'outgoingHosts'>,
): void {
  if (nextSession?.url === '')
    throw new InvalidRequestError('nextSession provided with empty URL: expected a URL in nextSession.url')
  requireAddress('callbackUrl', callbackUrl, outgoingHosts)
  requireAddress('nextSession.url', nextSession?.url ?? '', outgoingHosts)
  const name = callbackUrl !== '' ? 'callbackUrl' : nextSession !== null ? 'nextSession' : null
  if (name === null || mayPostResults) return
  throw new UnsupportedError(
    `${name}: expected none, because there is no JWT key to sign results with, got one`,
  )
}

/** Refuses an address that no result can be posted to. Without this check the mistake would first appear when the session ends. The error does not
 *  quote the address, which may hold a secret. */
function requireAddress(name: string, url: string, hosts: HostRule): void {
  if (url === '') return
  const mistake = mistakeInAddress(url)
  if (mistake !== null) throw new InvalidRequestError(`${name}: ${mistake}`)
  if (!hosts.mayCall(addressOf(url)?.hostname ?? ''))
    throw new InvalidRequestError(`${name}: expected a host that outgoing_hosts allows, got another one`)
}
