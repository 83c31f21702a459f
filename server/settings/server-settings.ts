/** From checked options to what a session server is told about itself. @module */
import { type ServerSettings, serverSettings } from '../../http/settings.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { checkOptions, tlsOf } from './checks.ts'
import { durationMs } from './duration.ts'
import { refuseSharedTokens, refuseTokens, requestorAuth, resultSignerOf } from './keys.ts'
import type { OptionValues } from './session-server.ts'
import { staticSessionsOf } from './static-sessions.ts'
import { externalUrl } from './url.ts'

const MINUTE_MS = 60_000
const ANY_ADDRESS = ['', '0.0.0.0', '::']

/** @param localAddress of this machine, for the default of `url`
 *  @throws {SettingsError} about options that contradict each other or are unsafe in production */
export function toServerSettings(options: OptionValues, localAddress: string): ServerSettings {
  checkOptions(options)
  const settings = serverSettings({
    ...lifetimes(options),
    ...protocol(options),
    ...permissions(options),
    ...addresses(options, localAddress),
    production: options.production,
    verbosity: options.verbose,
    limits: { streams: options.max_streams, stopMs: durationMs(options.stop_timeout) },
    resultSigner: resultSignerOf(options),
    ...(options.static_path !== '' && {
      staticFolder: { folder: options.static_path, prefix: pathOf(options, options.static_prefix) },
    }),
  })
  return { ...settings, staticSessions: staticSessionsOf(options, settings) }
}

/** Wallet apps are told the listener that serves them. */
function addresses(options: OptionValues, localAddress: string) {
  const { url, client_port } = options
  const [tls, clientTls] = [tlsOf(options), tlsOf(options, 'client_')]
  const isApart = client_port > 0
  const listening = isApart ? options.client_listen_addr : options.listen_addr
  const hasTls = (isApart ? clientTls : tls) !== undefined
  const facts = {
    port: isApart ? client_port : options.port,
    localAddress: ANY_ADDRESS.includes(listening) ? localAddress : listening,
    path: pathOf(options, '/'),
  }
  return {
    ...{ tls: tls ?? null, clientTls: clientTls ?? null },
    apiPrefix: facts.path.slice(0, -1),
    url: externalUrl({ ...facts, url, hasTls, prefix: PROFILES[options.profile].prefix }),
  }
}

/** @returns a path below `api_prefix`, with one slash at its end and none doubled */
function pathOf({ api_prefix }: OptionValues, path: string): string {
  return `${api_prefix}/${path}/`.replace(/\/+/g, '/')
}

function lifetimes({ max_session_lifetime: session, session_result_lifetime: result }: OptionValues) {
  return {
    ...(session > 0 && { maxSessionLifetimeMs: session * MINUTE_MS }),
    ...(result > 0 && { resultLifetimeMs: result * MINUTE_MS }),
  }
}

function protocol(options: OptionValues) {
  return {
    profile: options.profile,
    augmentClientReturnUrl: options.augment_client_return_url,
    ...(options.context_base && { contextBase: options.context_base }),
    ...(options.min_protocol_version && { minProtocolVersion: options.min_protocol_version }),
    callbackBackoff: {
      firstMs: durationMs(options.callback_backoff),
      maxMs: durationMs(options.callback_backoff_max),
    },
    ...(options.allow_unsigned_callbacks && { allowUnsignedCallbacks: true }),
  }
}

function permissions(options: OptionValues) {
  const requestors = Object.entries(options.requestors).map(([name, requestor]) => ({
    name,
    auth: requestorAuth(name, requestor),
    ...perms(requestor),
  }))
  refuseSharedTokens(requestors)
  if (options.signed_requests_only) refuseTokens(requestors)
  return {
    noAuth: options.no_auth,
    signedRequestsOnly: options.signed_requests_only,
    maxRequestAgeSec: options.max_request_age,
    requestors,
    permissions: perms(options),
  }
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
