/** Warnings about settings that are allowed but perhaps a mistake (spec/session-server#6.6, #20.1), logged once when the server starts. @module */
import type { ServerSettings } from '../../http/settings.ts'
import type { Clock } from '../../ports/clock.ts'
import { hasBlockedPort } from '../../ports/outgoing-address.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { warningAboutLatestKey } from '../../schemes/latest-key.ts'
import type { Schemes } from '../../schemes/types.ts'
import { REPLAY_MS } from '../../sessions/stored-answer.ts'
import { defaultStorePath } from '../files/directories.ts'
import { type OptionValues, sessionServer } from './session-server.ts'
import { inspector, metrics } from './shared-options.ts'

type Warned = Pick<
  ServerSettings,
  | 'noAuth'
  | 'url'
  | 'apiPrefix'
  | 'profile'
  | 'requestors'
  | 'permissions'
  | 'staticSessions'
  | 'resultSigner'
>

type RedisOptionValues = Pick<OptionValues, 'store_type' | 'redis_addr' | 'redis_sentinel_addrs'>
type ListenerOptionValues = Pick<
  OptionValues,
  'inspect' | 'inspect_port' | 'inspect_listen_addr' | 'metrics_port' | 'metrics_listen_addr'
>
type SiteOptionValues = Pick<OptionValues, 'static_path' | 'static_prefix'>
type StoreOptionValues = Pick<OptionValues, 'store_type' | 'store' | 'store_file'>

export function warningsAbout(settings: Warned): readonly string[] {
  const { noAuth, url, apiPrefix, requestors, permissions, staticSessions, resultSigner } = settings
  return [
    ...(noAuth ? ['no_auth: any caller may start sessions'] : []),
    ...(noAuth && permissions.revokePerms.length > 0
      ? ['revoke_perms: any caller may revoke, because of "no_auth"']
      : []),
    ...warningsAboutUrl(url),
    ...otherProfile(settings),
    ...(new URL(url).pathname.endsWith(`${apiPrefix}/`)
      ? []
      : [`url: expected a path that ends with "api_prefix", ${apiPrefix}, unless a proxy adds that`]),
    ...(staticSessions.size > 0 && resultSigner === null
      ? ['static_sessions: results are posted unsigned, because there is no "jwt_privkey"']
      : []),
    ...requestors.flatMap(shortSecret),
    ...requestors.flatMap(requestor => permissionsInVain(requestor, permissions)),
  ]
}

/** Warns if a session is deleted before a wallet app stops repeating a call: the stored answer is deleted with it. */
export function shortLifetime({
  resultLifetimeMs,
}: Pick<ServerSettings, 'resultLifetimeMs'>): readonly string[] {
  if (resultLifetimeMs >= REPLAY_MS) return []
  return [
    `session_result_lifetime: expected at least 2 minutes, because a wallet app may repeat a call for ${REPLAY_MS / 1_000} s, got ${resultLifetimeMs / 60_000}: a later repeat gets SESSION_UNKNOWN`,
  ]
}

/** Warns if the address ends in the prefix of another profile, such as `/irma/`: its author seems to want that profile. Settings files of existing servers name none. */
function otherProfile({ url, profile, apiPrefix }: Warned): readonly string[] {
  const { pathname } = new URL(url)
  const others = Object.values(PROFILES).filter(({ name }) => name !== profile.name)
  const meant = others.find(
    ({ prefix }) => pathname.endsWith(`${prefix}/`) && !apiPrefix.endsWith(prefix), // a path may have any name
  )
  if (meant === undefined) return []
  return [
    `url: ends in "${meant.prefix}/", as in the profile ${meant.name}, but "profile" is ${profile.name}`,
  ]
}

/** Warns about an address of Redis without `store_type: redis`. An existing server uses memory then, without a warning. */
export function redisInVain({ store_type: type, redis_addr, redis_sentinel_addrs }: RedisOptionValues) {
  if (type === 'redis' || (redis_addr === '' && redis_sentinel_addrs.length === 0)) return []
  const option = redis_addr === '' ? 'redis_sentinel_addrs' : 'redis_addr'
  return [`${option}: without effect, because "store_type" is not redis`]
}

/** Warns about `store_type: memory`. An existing server loses its sessions when it stops; this server stores them in a file. */
export function memoryInVain({
  store_type: type,
  store,
  store_file: file,
}: StoreOptionValues): readonly string[] {
  if (type !== 'memory' || store !== '' || file !== '') return []
  return [
    `store_type: without effect, because "store" names no store: sessions are kept in ${defaultStorePath()}`,
  ]
}

/** Warns about `static_prefix` without `static_path`: the operator seems to expect files at that path. */
export function sitePathInVain({ static_path: folder, static_prefix: prefix }: SiteOptionValues) {
  if (folder !== '' || prefix === sessionServer.options.static_prefix.parse(undefined)) return []
  return ['static_prefix: without effect, because "static_path" is not given']
}

/** The options of listeners, each with the option that opens its listener, and its default. */
const LISTENERS = [
  { option: 'inspect_port', opener: 'inspect', normally: inspector.inspect_port },
  { option: 'inspect_listen_addr', opener: 'inspect', normally: inspector.inspect_listen_addr },
  { option: 'metrics_listen_addr', opener: 'metrics_port', normally: metrics.metrics_listen_addr },
] as const

/** Warns about options of a listener that is not opened. Every kind of server uses this check. */
export function listenersInVain(options: ListenerOptionValues): readonly string[] {
  return LISTENERS.filter(
    ({ option, opener, normally }) => !options[opener] && options[option] !== normally.parse(undefined),
  ).map(({ option, opener }) => `${option}: without effect, because "${opener}" is not given`)
}

export function warningsAboutUrl(url: string): readonly string[] {
  const { port } = new URL(url)
  if (!hasBlockedPort({ port })) return plainHttpWarning(url)
  return [
    `url: browsers and other HTTP clients block port ${port}; use another port`,
    ...plainHttpWarning(url),
  ]
}

/** Every kind of server uses this check. */
function plainHttpWarning(url: string): readonly string[] {
  if (url.startsWith('https:')) return []
  return ['url: wallet apps refuse plain HTTP outside of their developer mode']
}

/** Warnings about issuer keys that expire and whose private key this server has, because its operator can make the next one. Every kind of server uses this check.
 *  @param schemes at the start */
export function ownKeysThatExpire(
  { schemes, latestPrivateKey }: Pick<Schemes, 'schemes' | 'latestPrivateKey'>,
  clock: Pick<Clock, 'wallNow'>,
): readonly string[] {
  return [...schemes.values()]
    .flatMap(({ issuers }) => [...issuers.values()])
    .filter(({ id }) => latestPrivateKey(id) !== undefined)
    .flatMap(issuer => warningAboutLatestKey(issuer, clock.wallNow() / 1_000) ?? [])
    .map(
      warning => `schemes: ${warning}; make the next key with svc issuer keygen, and sign the scheme again`,
    )
}

/** The least length of a secret for HS256 (RFC 7518, 3.2). */
const LEAST_SECRET_BYTES = 32

function shortSecret({ name, auth }: ServerSettings['requestors'][number]): string[] {
  const bytes = auth.method === 'hmac' ? (auth.key.symmetricKeySize ?? 0) : LEAST_SECRET_BYTES
  if (bytes >= LEAST_SECRET_BYTES) return []
  return [
    `requestors.${name}: expected a secret of at least ${LEAST_SECRET_BYTES} bytes for HS256, got ${bytes}`,
  ]
}

const PERMISSIONS = [
  ['disclosePerms', 'disclose_perms'],
  ['signPerms', 'sign_perms'],
  ['issuePerms', 'issue_perms'],
  ['revokePerms', 'revoke_perms'],
] as const

/** Warns about permissions of a requestor that limit nothing. It also has the permissions of all requestors, so its own have no effect if these allow everything. */
function permissionsInVain(
  { name, ...own }: ServerSettings['requestors'][number],
  globals: ServerSettings['permissions'],
): string[] {
  return PERMISSIONS.filter(
    ([member]) => globals[member].includes('*') && own[member].some(pattern => pattern !== '*'),
  ).map(
    ([, option]) =>
      `requestors.${name}.${option}: without effect, because "${option}" of the server allows everything to everybody`,
  )
}
