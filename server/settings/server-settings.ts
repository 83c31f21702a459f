/** From checked options to the settings of a session server. Most options are passed on unchanged, by their names in TypeScript. Options that the code needs in
 *  another form (units, keys, addresses, values that depend on the profile) are converted here, once. @module */
import { FIXED_LIMITS } from '../../http/limits.ts'
import type { Limits, ServerSettings } from '../../http/settings.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import type { CurrentSdJwtIssuers } from '../../schemes/sd-jwt/current-issuers.ts'
import type { SdJwtFolders } from '../../schemes/sd-jwt/issuers.ts'
import { RESULT_KEPT_MS } from '../../sessions/result.ts'
import type { RedisOptions } from '../../stores/redis/address.ts'
import { packageVersion } from '../version.ts'
import { type CamelCased, camelCased } from './camel-case.ts'
import { checkOptions, isPlainPath, tlsOf } from './checks.ts'
import { durationMs } from './duration.ts'
import { Refusals, readEach } from './errors.ts'
import { refuseSharedTokens, refuseTokens, requestorAuth, resultSignerOf } from './keys.ts'
import { redisSettingsOf } from './redis.ts'
import { REDIS_OPTIONS } from './redis-options.ts'
import { sdJwtFoldersOf } from './sd-jwt.ts'
import type { OptionValues } from './session-server.ts'
import { staticSessionsOf } from './static-sessions.ts'
import { externalUrl } from './url.ts'

const MINUTE_MS = 60_000
const ANY_ADDRESS = ['', '0.0.0.0', '::']

/** The options that the functions below convert to another form. */
const READ_HERE = [
  'max_session_lifetime',
  'session_result_lifetime',
  'max_request_age',
  'context_base',
  'callback_backoff',
  'callback_backoff_max',
  'jwt_issuer',
  'jwt_privkey',
  'jwt_privkey_file',
  'disclose_perms',
  'sign_perms',
  'issue_perms',
  'revoke_perms',
  'host_perms',
  'tls_cert',
  'tls_cert_file',
  'tls_privkey',
  'tls_privkey_file',
  'client_tls_cert',
  'client_tls_cert_file',
  'client_tls_privkey',
  'client_tls_privkey_file',
  'static_path',
  'static_prefix',
  'verbose',
  'max_streams',
  'max_header_size',
  'stop_timeout',
  'stop_delay',
  'stop_idle',
  'workers',
  'max_queue_time',
  'revocation_settings',
  'store',
  'store_file',
  'schemes_update',
  'sdjwtvc',
  'sdjwtvc_issuer_certificates_dir',
  'sdjwtvc_issuer_private_keys_dir',
  ...REDIS_OPTIONS,
] as const satisfies readonly (keyof OptionValues)[]

/** The settings of a session server that has not read its schemes yet. */
export type OwnSettings = ServerSettings &
  Omit<CamelCased<Omit<OptionValues, (typeof READ_HERE)[number]>>, keyof ServerSettings> & {
    /** number of threads for the work on proofs; null: one per core */
    readonly threads: number | null
    /** the store of sessions; empty: the default */
    readonly store: string
    /** the settings of a store that is a Redis server */
    readonly redis: RedisOptions
    /** longest estimated wait for the work on proofs; no session begins while it is longer */
    readonly maxQueueMs: number
    /** null: no SD-JWTs are issued */
    readonly sdJwtFolders: SdJwtFolders | null
    /** the issuers whose files are in these folders; null: no SD-JWTs are issued */
    readonly sdJwtIssuers: CurrentSdJwtIssuers | null
  }

/** @param localAddress of this machine, for the default of `url`
 *  @throws {SettingsError} about every option that cannot be used, contradicts another or is unsafe in production */
export function toServerSettings(options: OptionValues, localAddress: string): OwnSettings {
  const refusals = new Refusals()
  refusals.of(() => checkOptions(options))
  const settings = refusals.of(() => uncheckedSettings(options, localAddress))
  if (settings && refusals.error === null) return settings
  // `uncheckedSettings` stops at the first refusal, so each part is read again to report all of them
  refusals.of(() => addresses(options, localAddress))
  refusals.of(() => permissions(options))
  refusals.of(() => redisSettingsOf(options))
  refusals.of(() => resultSignerOf(options))
  refusals.of(() => sdJwtFoldersOf(options))
  refusals.of(() => staticSessionsOf(options, protocol(options)))
  throw refusals.error
}

/** As `toServerSettings`, without the check of the options against each other.
 *  @throws {SettingsError} about a key, an address or a static session */
export function uncheckedSettings(options: OptionValues, localAddress: string): OwnSettings {
  const settings = {
    ...camelCased(options, READ_HERE),
    version: packageVersion(),
    ...lifetimes(options),
    ...protocol(options),
    ...permissions(options),
    ...addresses(options, localAddress),
    ...work(options),
    ...redisSettingsOf(options),
    verbosity: options.verbose,
    limits: limitsOf(options),
    resultSigner: resultSignerOf(options),
    staticFolder: staticFolderOf(options),
    sdJwtFolders: sdJwtFoldersOf(options),
    sdJwtIssuers: null, // read after the schemes
  }
  return { ...settings, staticSessions: staticSessionsOf(options, settings) }
}

/** Wallet apps get the address of the listener that serves them. */
function addresses(options: OptionValues, localAddress: string) {
  const { url, client_port } = options
  const [tls, clientTls] = [tlsOf(options), tlsOf(options, 'client_')]
  const isApart = client_port > 0
  const listening = isApart ? options.client_listen_addr : options.listen_addr
  const hasTls = (isApart ? clientTls : tls) !== undefined
  const facts = {
    port: isApart ? client_port : options.port,
    localAddress: ANY_ADDRESS.includes(listening) ? localAddress : listening,
    // the check of "api_prefix" refuses any other path; here it would be blamed on the default of "url" too
    path: isPlainPath(options.api_prefix) ? pathOf(options, '/') : '/',
  }
  return {
    tls: tls ?? null,
    clientTls: clientTls ?? null,
    apiPrefix: facts.path.slice(0, -1),
    url: externalUrl({ ...facts, url, hasTls, prefix: PROFILES[options.profile].prefix }),
  }
}

/** @returns a path below `api_prefix`, with one slash at its end and none doubled */
function pathOf({ api_prefix }: OptionValues, path: string): string {
  return `/${api_prefix}/${path}/`.replace(/\/+/g, '/')
}

function staticFolderOf(options: OptionValues): ServerSettings['staticFolder'] {
  const { static_path: folder, static_prefix: prefix } = options
  return folder === '' ? null : { folder, prefix: pathOf(options, prefix) }
}

function lifetimes(options: OptionValues) {
  const { max_session_lifetime: session, session_result_lifetime: kept } = options
  const { defaultTimeoutMs } = PROFILES[options.profile]
  return {
    maxSessionLifetimeMs: session === 0 ? defaultTimeoutMs : session * MINUTE_MS,
    resultLifetimeMs: kept === 0 ? RESULT_KEPT_MS : kept * MINUTE_MS,
  }
}

function protocol(options: OptionValues) {
  const { context_base: contextBase, min_protocol_version: minVersion } = options
  const named = PROFILES[options.profile]
  const profile = contextBase === '' ? named : { ...named, contextBase }
  return {
    profile,
    minProtocolVersion: minVersion === '' ? profile.minProtocolVersion : minVersion,
    callbackBackoff: {
      firstMs: durationMs(options.callback_backoff),
      maxMs: durationMs(options.callback_backoff_max),
    },
    allowUnsignedCallbacks: options.allow_unsigned_callbacks || profile.callbacksWithoutKey === 'unsigned',
  }
}

function permissions(options: OptionValues) {
  const requestors = readEach(Object.entries(options.requestors), ([name, requestor]) => ({
    name,
    auth: requestorAuth(name, requestor),
    ...perms(requestor),
  }))
  refuseSharedTokens(requestors)
  if (options.signed_requests_only) refuseTokens(requestors)
  return { maxRequestAgeSec: options.max_request_age, requestors, permissions: perms(options) }
}

type Perms = Pick<
  OptionValues,
  'disclose_perms' | 'sign_perms' | 'issue_perms' | 'revoke_perms' | 'host_perms'
>

function perms({ disclose_perms, sign_perms, issue_perms, revoke_perms, host_perms }: Perms) {
  return {
    disclosePerms: disclose_perms,
    signPerms: sign_perms,
    issuePerms: issue_perms,
    revokePerms: revoke_perms,
    hostPerms: host_perms,
  }
}

function limitsOf(options: OptionValues): Limits {
  const { max_streams, max_header_size, stop_timeout, stop_delay, stop_idle } = options
  const stop = {
    stopMs: durationMs(stop_timeout),
    stopDelayMs: durationMs(stop_delay),
    stopIdleMs: durationMs(stop_idle),
  }
  return { ...FIXED_LIMITS, streams: max_streams, headBytes: max_header_size * 2 ** 10, ...stop }
}

function work({ workers, max_queue_time }: OptionValues) {
  return { threads: workers === 0 ? null : workers, maxQueueMs: durationMs(max_queue_time) }
}
