/** From checked options to what a session server is told about itself. @module */
import { type ServerSettings, serverSettings } from '../../http/settings.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { checkOptions, tlsOf } from './checks.ts'
import { durationMs } from './duration.ts'
import { refuseSharedTokens, refuseTokens, requestorAuth, resultSignerOf } from './keys.ts'
import type { OptionValues } from './schema.ts'
import { externalUrl } from './url.ts'

const MINUTE_MS = 60_000
const ANY_ADDRESS = ['', '0.0.0.0', '::']

/** @param localAddress of this machine, for the default of `url`
 *  @throws {SettingsError} about options that contradict each other or are unsafe in production */
export function toServerSettings(options: OptionValues, localAddress: string): ServerSettings {
  checkOptions(options)
  const tls = tlsOf(options)
  const { prefix } = PROFILES[options.profile]
  const address = ANY_ADDRESS.includes(options.listen_addr) ? localAddress : options.listen_addr
  const { url, port } = options
  return serverSettings({
    ...lifetimes(options),
    ...protocol(options),
    ...permissions(options),
    url: externalUrl({ url, port, hasTls: tls !== undefined, prefix, localAddress: address }),
    production: options.production,
    verbosity: options.verbose,
    resultSigner: resultSignerOf(options),
    ...(tls && { tls }),
  })
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
