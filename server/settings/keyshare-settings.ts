/** All that a keyshare server is built from: its options and the files that they name, read and checked against the schemes. @module */
import type { CommitmentsOf } from '../../actors/accounts/answerable.ts'
import type { Binding } from '../../actors/accounts/records-of-rows.ts'
import type { AccountTimes, MailSettings } from '../../actors/mails/settings.ts'
import type { KeyshareSettings } from '../../http/keyshare/settings.ts'
import { networksOf } from '../../ports/network.ts'
import type { AttributeTypeId } from '../../protocol/ids.ts'
import { isPostgres } from '../../stores/open.ts'
import { checkEveryServer, refuse, storeAddressOf } from './checks.ts'
import { checkAll, Refusals } from './errors.ts'
import { innerSessionSettings } from './inner-session-server.ts'
import {
  checkKeyOfScheme,
  keyshareServerOf,
  loginAttributeOf,
  warningsAboutScheme,
} from './keyshare-against-schemes.ts'
import { keyshareSignerOf, storageKeysOf } from './keyshare-keys.ts'
import { accountTimesOf, mailSettingsOf, warningsAboutMail } from './keyshare-mail.ts'
import type { callers, KeyshareOptionValues } from './keyshare-server.ts'
import { type NodeSettings, schemesOf, updateSettings } from './node-settings.ts'
import { checkProxies } from './proxies.ts'
import { listenersInVain, warningsAboutUrl } from './warnings.ts'

export type KeyshareNodeSettings = {
  readonly keyshare: KeyshareSettings
  /** the settings of the session server inside, which issues the login credential */
  readonly sessions: NodeSettings
  /** name of the store, as in the option; empty: the default */
  readonly store: string
  /** folder of the schemes, which may gain keys while the server runs */
  readonly schemesPath: string
  /** the attribute of the login credential */
  readonly attribute: AttributeTypeId
  /** null: no mail is sent */
  readonly mail: MailSettings | null
  readonly times: AccountTimes
  readonly accounts: { readonly binding: Binding; readonly commitmentsOf: CommitmentsOf }
}

export type KeyshareSettingsSource = { readonly options: KeyshareOptionValues }

export type ReadKeyshareSettings = {
  readonly settings: KeyshareNodeSettings
  /** settings that are allowed but perhaps a mistake, for the log */
  readonly warnings: readonly string[]
}

/** @param say is called with the schemes that are used when the settings name none
 *  @throws {SettingsError} @throws {SchemeError} */
export async function readKeyshareSettings(
  { options }: KeyshareSettingsSource,
  say: (line: string) => void,
): Promise<ReadKeyshareSettings> {
  const keyPlace = options.jwt_privkey_file ? `jwt_privkey_file ${options.jwt_privkey_file}` : 'jwt_privkey'
  const refusals = new Refusals()
  refusals.of(() => checkKeyshareOptions(options))
  const signer = refusals.of(() => keyshareSignerOf(options))
  const storage = refusals.of(() => storageKeysOf(options))
  const own = refusals.of(() => sessionSettingsOf(options))
  const store = refusals.of(() => storeAddressOf(options))
  const found = await refusals.ofLater(() => schemesOf(options, refusals.error ? () => {} : say))
  const attribute = refusals.of(() => found && loginAttributeOf(options.keyshare_attribute, found.schemes))
  refusals.of(
    () => signer && found && attribute && checkKeyOfScheme(signer, attribute, found.schemes, keyPlace),
  )
  refusals.of(() => own && mailSettingsOf(options, own.url))
  if (refusals.error || !signer || !storage || !own || store === undefined || !found || !attribute)
    throw refusals.error
  const { keys, warnings } = storage
  const { path, schemes } = found
  const schemeUpdates = updateSettings(options, path, next =>
    checkKeyOfScheme(signer, loginAttributeOf(options.keyshare_attribute, next), next, keyPlace),
  )
  // each of several nodes may have a URL of its own, and the address in the scheme leads to all of them
  const publicUrl = isPostgres(store) ? keyshareServerOf(attribute, schemes) : own.url
  const settings: KeyshareNodeSettings = {
    attribute,
    store,
    schemesPath: path,
    keyshare: keyshareSettingsOf(options, own, { signer, storageKeys: keys }),
    mail: mailSettingsOf(options, publicUrl),
    times: accountTimesOf(options),
    accounts: { binding: options.bind_accounts, commitmentsOf: options.commitments_of },
    sessions: { ...own, schemes, schemeUpdates, revocation: new Map() },
  }
  return {
    settings,
    warnings: [
      ...warningsAboutUrl(own.url),
      ...listenersInVain(options),
      ...warningsAboutScheme(attribute, publicUrl, schemes),
      ...warnings,
      ...warningsAboutMail(options),
    ],
  }
}

/** @param own settings of the session server inside */
export function keyshareSettingsOf(
  options: Pick<
    KeyshareOptionValues,
    'jwt_pin_expiry' | 'default_language' | 'keyshare_v1' | keyof typeof callers
  >,
  { profile, verbosity, tls, limits }: Pick<NodeSettings, 'profile' | 'verbosity' | 'tls' | 'limits'>,
  keys: Pick<KeyshareSettings, 'signer' | 'storageKeys'>,
): KeyshareSettings {
  return {
    ...keys,
    profile,
    verbosity,
    tls,
    limits,
    jwtValiditySec: options.jwt_pin_expiry,
    defaultLanguage: options.default_language,
    keyshareV1: options.keyshare_v1,
    trustedProxies: networksOf(options.trusted_proxies),
    registrationRates: {
      perCaller: options.registrations_per_caller,
      perMinute: options.registrations_per_minute,
    },
  }
}

function checkKeyshareOptions(options: KeyshareOptionValues): void {
  checkAll([
    () => checkEveryServer(options),
    () => checkProxies(options),
    () => {
      if (options.production && storeAddressOf(options) === 'memory')
        refuse('store', 'expected a store that keeps accounts, because of "production", got "memory"')
    },
  ])
}

function sessionSettingsOf(options: KeyshareOptionValues) {
  return innerSessionSettings(options, {
    keyshare_v1: options.keyshare_v1 === 'refuse' ? 'refuse' : 'allow', // the keyshare server itself warns
    openapi: options.openapi,
  })
}
