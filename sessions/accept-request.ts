/** Whether a session request becomes a session (`spec/session-server.md` 6.1 steps 3 to 6): may the requestor ask for it, can its results leave,
 *  does it fit the schemes. The same for a request that was sent to `POST /session` and for the next session of a chain. @module */
import { addressOf } from '../ports/outgoing-address.ts'
import { InvalidRequest, Unsupported } from '../protocol/errors.ts'
import type { Profile } from '../protocol/profiles.ts'
import type { ExtendedRequest } from '../protocol/request.ts'
import type { Schemes } from '../schemes/types.ts'
import { checkPermissions, type Permissions, type Requestor } from './permissions.ts'
import { type PrepareOptions, prepareRequest } from './prepare-request.ts'

export type AcceptFacts = PrepareOptions & {
  readonly profile: Pick<Profile, 'comparedHost'>
  /** permissions of every requestor */
  readonly globals: Permissions
  /** host, with port, of the server's URL */
  readonly urlHost: string
  /** there is a key to sign results with, or they may leave unsigned */
  readonly mayPostResults: boolean
}

/** @returns the request as its session has it, but for the return URL (`withReturnToken`)
 *  @throws {Unauthorized} with the first thing that the requestor may not ask for
 *  @throws {Unsupported} for a callback or a next session where results cannot leave
 *  @throws {InvalidRequest} with the first thing that does not fit */
export function acceptRequest(
  extended: ExtendedRequest,
  who: Requestor,
  server: AcceptFacts & { readonly schemes: Schemes },
): ExtendedRequest {
  checkPermissions(extended, who, server)
  return acceptOwnRequest(extended, server)
}

/** The same for a request of the server's own configuration, which needs no permission (`spec/session-server.md` 16).
 *  @throws {Unsupported} @throws {InvalidRequest} as `acceptRequest` */
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
  { mayPostResults }: Pick<AcceptFacts, 'mayPostResults'>,
): void {
  if (nextSession?.url === '')
    throw new InvalidRequest('nextSession provided with empty URL: expected a URL in nextSession.url')
  requireAddress('callbackUrl', callbackUrl)
  requireAddress('nextSession.url', nextSession?.url ?? '')
  const name = callbackUrl !== '' ? 'callbackUrl' : nextSession !== null ? 'nextSession' : null
  if (name === null || mayPostResults) return
  throw new Unsupported(`${name}: expected none, because there is no JWT key to sign results with, got one`)
}

/** Nothing could ever be posted to anything else, and nobody would notice before there is something to post. The address may hold a secret. */
function requireAddress(name: string, url: string): void {
  if (url !== '' && addressOf(url) === null)
    throw new InvalidRequest(
      `${name}: expected an http or https address without a user name, got another text`,
    )
}
