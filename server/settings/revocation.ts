/** The settings of revocation, checked against the schemes (spec/schemes-and-cli#15): the reasons to refuse the start, and the warnings. @module */
import type { RevocationSettings } from '../../actors/revocation/revocation.ts'
import { addressOf, mistakeInAddress } from '../../ports/outgoing-address.ts'
import { mistakeInBaseAddress } from '../../protocol/base-address.ts'
import { type CredentialTypeId, issuerOf } from '../../protocol/ids.ts'
import { withoutSlashesAtEnd } from '../../protocol/text-scanning.ts'
import type { CredentialType, Schemes } from '../../schemes/types.ts'
import { allows } from '../../sessions/permissions.ts'
import { refuse } from './checks.ts'
import type { RevocationOption } from './objects-by-name.ts'
import type { OptionValues } from './session-server.ts'

type SettingsByType = ReadonlyMap<CredentialTypeId, RevocationSettings>

export type CheckedRevocation = { readonly settings: SettingsByType; readonly warnings: readonly string[] }

/** @param mayIdle true: issuer keys that cannot issue are no reason to refuse the settings
 *  @throws {SettingsError} about the first setting that cannot work */
export function revocationSettingsOf(
  options: OptionValues,
  schemes: Schemes,
  mayIdle = false,
): CheckedRevocation {
  const settings = new Map<CredentialTypeId, RevocationSettings>()
  for (const [name, option] of Object.entries(options.revocation_settings)) {
    const type = typeCalled(name, schemes)
    if (settings.has(type.id)) refuse(optionOf(name), `expected ${type.id} once, got it twice`)
    settings.set(type.id, checked(name, option))
    if (option.authority) requireKey(name, type, schemes)
  }
  const perms = [options, ...Object.values(options.requestors)].flatMap(({ issue_perms }) => issue_perms)
  return { settings, warnings: unusableKeys(schemes, settings, { mayIdle, mayIssue: allows(perms) }) }
}

function optionOf(name: string): string {
  return `revocation_settings.${name}`
}

/** Some formats of settings files lose the case of names. */
function typeCalled(name: string, schemes: Schemes): CredentialType {
  const type = revocableTypes(schemes).find(({ id }) => id.toLowerCase() === name.toLowerCase())
  return (
    type ??
    refuse(optionOf(name), 'expected a credential type of the schemes that can be revoked, got another name')
  )
}

function revocableTypes({ schemes }: Schemes): CredentialType[] {
  return [...schemes.values()]
    .flatMap(({ issuers }) => [...issuers.values()])
    .flatMap(({ credentialTypes }) => [...credentialTypes.values()])
    .filter(({ supportsRevocation }) => supportsRevocation)
}

function checked(name: string, option: RevocationOption): RevocationSettings {
  const { authority, server, revocation_server_url: given, tolerance, sse } = option
  const url = withoutSlashesAtEnd(given)
  // the message does not quote the address, because it may contain a password
  if (url !== '' && (addressOf(url) === null || mistakeInBaseAddress(url) !== null))
    refuse(
      `${optionOf(name)}.revocation_server_url`,
      'expected an http or https address without user name, query and fragment, got another text',
    )
  const mistake = url === '' ? null : mistakeInAddress(url)
  if (mistake !== null) refuse(`${optionOf(name)}.revocation_server_url`, mistake)
  if (authority && url !== '')
    refuse(
      `${optionOf(name)}.revocation_server_url`,
      'expected none, because this server is the authority, got one',
    )
  if (server && !authority && url === '')
    refuse(
      `${optionOf(name)}.revocation_server_url`,
      'expected the address of the server that has the updates, because this one is not the authority, got none',
    )
  return {
    isAuthority: authority,
    isServer: authority || server,
    serverUrl: url === '' ? null : url,
    toleranceSec: tolerance ?? null,
    hasStream: sse,
  }
}

/** The key with which an authority signs accumulators. */
export function hasRevocationKey({ id }: Pick<CredentialType, 'id'>, schemes: Schemes): boolean {
  const key = schemes.latestPrivateKey(issuerOf(id))
  return key?.ecdsa !== undefined && schemes.publicKey(issuerOf(id), key.counter)?.revocation !== undefined
}

function requireKey(name: string, type: CredentialType, schemes: Schemes): void {
  if (!hasRevocationKey(type, schemes))
    refuse(
      `${optionOf(name)}.authority`,
      `expected a private key of ${issuerOf(type.id)} that supports revocation, got none`,
    )
}

type KeyUse = {
  /** true: issuer keys that cannot issue are no reason to refuse the settings */
  readonly mayIdle: boolean
  /** true if any requestor may issue that type */
  readonly mayIssue: (type: string) => boolean
}

/** Finds issuer keys that cannot issue because no setting names an authority. Keys of demo schemes are often installed without being used, so they are no error.
 *  @returns warnings about types that some requestor may issue
 *  @throws {SettingsError} about a key that is not of a demo scheme */
function unusableKeys(schemes: Schemes, settings: SettingsByType, { mayIdle, mayIssue }: KeyUse): string[] {
  return revocableTypes(schemes)
    .filter(type => hasRevocationKey(type, schemes))
    .filter(({ id }) => !settings.get(id)?.isServer && !settings.get(id)?.serverUrl)
    .flatMap(({ id }) => {
      const text = `${id} can be revoked, but revocation_settings names no authority for it, so this server cannot issue ${id}`
      const isDemo = [...schemes.schemes.values()].some(each => each.isDemo && id.startsWith(`${each.id}.`))
      if (!isDemo && !mayIdle) refuse('revocation_settings', text)
      return mayIssue(id) ? [`revocation_settings: ${text}`] : []
    })
}
