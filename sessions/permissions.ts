/** Permissions to ask for attributes, credentials and hosts (spec/interface#5.1 rule 2, spec/session-server#6.6, spec/decisions#d9). The patterns of the requestor and of
 *  the server are combined. @module */
import { UnauthorizedError, WrongHostError } from '../protocol/errors.ts'
import { comparedHost, comparedPattern } from '../protocol/hosts.ts'
import { type CredentialTypeId, isCredentialTypeId } from '../protocol/ids.ts'
import type { Profile } from '../protocol/profiles.ts'
import { attributeRequests, type ExtendedRequest } from '../protocol/request.ts'
import { matchesGlob } from './glob.ts'

/** The maximum length of a host in a message, in characters. */
const MAX_SHOWN_HOST = 80

/** Patterns of attributes and credential types: an identifier, a leading part of one followed by `.*`, or `*`. Patterns of hosts: shell globs. */
export type Permissions = {
  readonly disclosePerms: readonly string[]
  readonly signPerms: readonly string[]
  readonly issuePerms: readonly string[]
  readonly revokePerms: readonly string[]
  readonly hostPerms: readonly string[]
}

/** Without authentication the name is empty, and only the patterns of the server apply. */
export type Requestor = Permissions & { readonly name: string }

/** Checks in this order: issued credentials, disclosed attributes, the host.
 *  @param server.urlHost host, with port, of the server's URL
 *  @param server.profile decides if ports are compared
 *  @throws {UnauthorizedError} names the first item that is not allowed */
export function checkPermissions(
  { request }: ExtendedRequest,
  who: Requestor,
  server: {
    readonly globals: Permissions
    readonly urlHost: string
    readonly profile: Pick<Profile, 'comparedHost'>
  },
): void {
  const { globals } = server
  if (request.type === 'issuing') {
    const allowed = allows([...who.issuePerms, ...globals.issuePerms])
    const refused = request.credentials.find(({ credential }) => !allowed(credential))
    if (refused !== undefined)
      throw new UnauthorizedError(`No issuer permissions configured for credential '${refused.credential}'`)
  }
  const member = request.type === 'signing' ? 'signPerms' : 'disclosePerms'
  const allowed = allows([...who[member], ...globals[member]])
  const refused = attributeRequests(request).find(({ type }) =>
    // the pattern for the attributes of a credential also covers the credential as a whole
    isCredentialTypeId(type) ? !allowed(`${type}.*`) : !allowed(type),
  )
  if (refused !== undefined) throw new UnauthorizedError(refused.type)
  checkHost(request.host, [...who.hostPerms, ...globals.hostPerms], server)
}

/** Checks that a requestor may revoke credentials of this type (spec/session-server#17).
 *  @param isKeyThere true if this server has the issuer's private key for revocation; without it no revocation is possible
 *  @throws {UnauthorizedError} */
export function checkRevokePermission(
  type: CredentialTypeId,
  who: Requestor,
  { globals, isKeyThere }: { readonly globals: Permissions; readonly isKeyThere: boolean },
): void {
  const patterns = [...who.revokePerms, ...globals.revokePerms]
  if (patterns.length === 0)
    throw new UnauthorizedError(
      `expected revoke_perms of the requestor or of the server for ${type}, got none`,
    )
  if (!isKeyThere)
    throw new UnauthorizedError(`expected a private key with revocation of the issuer of ${type}, got none`)
  if (!allows(patterns)(type))
    throw new UnauthorizedError(`expected a credential type that revoke_perms allow, got ${type}`)
}

/** @returns a function that is true if a pattern covers the identifier, or the pattern of identifiers */
export function allows(patterns: readonly string[]): (id: string) => boolean {
  const given = new Set(patterns)
  return id => {
    const parts = id.split('.')
    return given.has(id) || parts.some((_, count) => given.has([...parts.slice(0, count), '*'].join('.')))
  }
}

function checkHost(
  requested: string,
  patterns: readonly string[],
  { urlHost, profile }: { readonly urlHost: string; readonly profile: Pick<Profile, 'comparedHost'> },
): void {
  const host = requested === '' ? urlHost : requested
  const compared = comparedHost(host, profile)
  const isAllowed =
    patterns.length === 0
      ? compared === comparedHost(urlHost, profile)
      : patterns.some(pattern => matchesGlob(compared, comparedPattern(pattern, profile)))
  const shown = JSON.stringify(host.slice(0, MAX_SHOWN_HOST))
  const got = requested === '' ? `${shown}, that of "url", because the request names none` : shown
  if (!isAllowed)
    throw new WrongHostError(
      patterns.length === 0
        ? `requestor not allowed to use the requested host: expected that of "url", because there are no host_perms, got ${got}`
        : `requestor not allowed to use the requested host: expected one that its host_perms or those of the server match, got ${got}`,
    )
}
