/** All that an OpenID provider is built from: its options and the files that they name, read and checked against the schemes. @module */
import { hkdfSync } from 'node:crypto'
import type { StorageKeys } from '../../accounts/storage-keys.ts'
import { APP_LINKS } from '../../http/oidc/app-link.ts'
import type { OidcSettings } from '../../http/oidc/settings.ts'
import { networksOf } from '../../ports/network.ts'
import type { RedisOptions } from '../../stores/redis/address.ts'
import { checkEveryServer, refuse, storeAddressOf } from './checks.ts'
import { durationMs } from './duration.ts'
import { checkAll, Refusals } from './errors.ts'
import { innerSessionSettings } from './inner-session-server.ts'
import { storageKeysOf } from './keyshare-keys.ts'
import { type NodeSettings, schemesOf, updateSettings } from './node-settings.ts'
import { readSignIn, type SignInSettings } from './oidc/read-sign-in.ts'
import { type RemoteServerSettings, readRemoteServer } from './oidc/session-server.ts'
import type { OidcOptionValues } from './oidc-server.ts'
import { checkProxies } from './proxies.ts'
import { redisSettingsOf } from './redis.ts'
import { listenersInVain, warningsAboutUrl } from './warnings.ts'

export type OidcNodeSettings = SignInSettings & {
  readonly oidc: OidcSettings
  /** another session server, at which the sessions of logins run; null: the server inside */
  readonly remote: RemoteServerSettings | null
  /** the settings of the session server inside */
  readonly sessions: NodeSettings
  /** name of the store, as in the option; empty: the default */
  readonly store: string
  readonly redis: RedisOptions
  readonly storageKeys: StorageKeys
}

export type OidcSettingsSource = { readonly options: OidcOptionValues }

export type ReadOidcSettings = {
  readonly settings: OidcNodeSettings
  /** settings that are allowed but perhaps a mistake, for the log */
  readonly warnings: readonly string[]
}

/** @param say is called with the schemes that are used when the settings name none
 *  @throws {SettingsError} @throws {SchemeError} */
export async function readOidcSettings(
  { options }: OidcSettingsSource,
  say: (line: string) => void,
): Promise<ReadOidcSettings> {
  const refusals = new Refusals()
  refusals.of(() => checkOidcOptions(options))
  const storage = refusals.of(() => storageKeysOf(options))
  const own = refusals.of(() => ({
    ...innerSessionSettings(options, { openapi: false }),
    ...redisSettingsOf(options),
  }))
  const remote = readRemoteServer(options.session_server, refusals)
  const found = await refusals.ofLater(() => schemesOf(options, refusals.error ? () => {} : say))
  const signIn = refusals.of(() => found && readSignIn(options, { ...options, schemes: found.schemes }))
  if (refusals.error || !storage || !own || !found || !signIn) throw refusals.error
  const { path, schemes } = found
  const schemeUpdates = updateSettings(
    options,
    path,
    next => void readSignIn(options, { ...options, schemes: next }),
  )
  const settings: OidcNodeSettings = {
    ...signIn,
    store: own.store,
    redis: own.redis,
    remote,
    storageKeys: storage.keys,
    oidc: oidcSettingsOf(options, own, storage.keys),
    sessions: { ...own, schemes, schemeUpdates, revocation: new Map() },
  }
  return {
    settings,
    warnings: [
      ...warningsAboutUrl(own.url),
      ...listenersInVain(options),
      ...storage.warnings,
      ...signIn.warnings,
    ],
  }
}

function oidcSettingsOf(
  options: OidcOptionValues,
  { profile, verbosity, tls, limits, url, production }: Omit<NodeSettings, 'schemes' | 'revocation'>,
  { primary, older }: StorageKeys,
): OidcSettings {
  return {
    profile,
    verbosity,
    tls,
    limits,
    production,
    trustedProxies: networksOf(options.trusted_proxies),
    rates: {
      authorize: { perCaller: options.logins_per_caller, perMinute: options.logins_per_minute },
      par: { perCaller: options.pushed_per_caller, perMinute: options.logins_per_minute },
    },
    issuer: url.slice(0, -1),
    appLink: options.app_link || APP_LINKS[options.profile],
    isAppOnWeb: options.app_link !== '',
    cookieKeys: [primary, ...older].map(({ key }) => cookieKeyOf(key.export())),
    lifetimes: {
      interaction: secondsOf(options.interaction_lifetime),
      code: secondsOf(options.code_lifetime),
      accessToken: secondsOf(options.access_token_lifetime),
      idToken: secondsOf(options.id_token_lifetime),
      login: secondsOf(options.login_lifetime),
    },
  }
}

/** Another key than the one that encrypts: cookies are signed for browsers. */
function cookieKeyOf(storageKey: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', storageKey, '', 'svc oidc cookies 1', 32)).toString('base64url')
}

function secondsOf(duration: string): number {
  return Math.max(1, Math.round(durationMs(duration) / 1_000))
}

function checkOidcOptions(options: OidcOptionValues): void {
  checkAll([
    () => checkEveryServer(options),
    () => checkProxies(options),
    () => {
      if (options.app_link !== '' && !/^https?:\/\//.test(options.app_link))
        refuse('app_link', 'expected an http or https address, got another text')
    },
    () => {
      if (options.production && storeAddressOf(options) === 'memory')
        refuse('store', 'expected a store that keeps logins and keys, because of "production", got "memory"')
    },
  ])
}
