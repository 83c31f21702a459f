/** All that a session server is built from: its options and the files that they name, read and checked against each other. @module */
import type { RevocationSettings } from '../../actors/revocation/revocation.ts'
import type { CredentialTypeId } from '../../protocol/ids.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { Schemes } from '../../schemes/types.ts'
import { localAddress } from '../files/directories.ts'
import { isFolder } from '../files/paths.ts'
import { fillFromAssets } from '../files/schemes-assets.ts'
import { schemesFolder } from '../files/schemes-folder.ts'
import type { UpdateSettings } from '../schemes/scheme-updates.ts'
import { checkAgainstSchemes } from './against-schemes.ts'
import { Refusals } from './errors.ts'
import { revocationSettingsOf } from './revocation.ts'
import { sdJwtIssuersOf } from './sd-jwt.ts'
import { type OwnSettings, toServerSettings } from './server-settings.ts'
import type { OptionValues } from './session-server.ts'
import { checkStaticPath } from './static-path.ts'
import { checkStaticSessions } from './static-sessions.ts'
import {
  listenersInVain,
  memoryInVain,
  redisInVain,
  shortLifetime,
  sitePathInVain,
  warningsAbout,
} from './warnings.ts'

export type NodeSettings = OwnSettings & {
  /** the schemes at the start */
  readonly schemes: Schemes
  /** the folder of the schemes, and how they are updated; left out: they never change */
  readonly schemeUpdates?: UpdateSettings
  /** the settings of the credential types that can be revoked */
  readonly revocation: ReadonlyMap<CredentialTypeId, RevocationSettings>
}

export type ReadSettings = {
  readonly settings: NodeSettings
  /** settings that are allowed but perhaps a mistake, for the log */
  readonly warnings: readonly string[]
}

export type SettingsSource = {
  readonly options: OptionValues
  /** the file from which options were read */
  readonly settingsFile?: string | undefined
  /** true: the person who starts the server is its only requestor, so issuer keys that cannot be used are no reason to refuse the start */
  readonly isForOneSession?: boolean
}

/** @param check checks the settings against newer schemes */
export function updateSettings(
  { schemes_update, privkeys }: Pick<OptionValues, 'schemes_update' | 'privkeys'>,
  path: string,
  check: UpdateSettings['check'],
): UpdateSettings {
  return { path, privateKeys: privkeys || null, everyMs: schemes_update * 60_000, check }
}

type FoundSchemes = { readonly path: string; readonly schemes: Schemes }

/** @param say as `readNodeSettings`
 *  @throws {SettingsError} @throws {SchemeError} */
export async function schemesOf(
  options: Pick<OptionValues, 'schemes_path' | 'schemes_assets_path' | 'privkeys' | 'production'>,
  say: (line: string) => void,
): Promise<FoundSchemes> {
  const { privkeys } = options
  await fillFromAssets(options, say)
  const path = schemesFolder(options.schemes_path, options.production, say)
  // `checkEveryServer` refuses a folder that does not exist
  const schemes = await loadSchemes(path, isFolder(privkeys) ? { privateKeys: privkeys } : {})
  return { path, schemes }
}

/** @param say is called with the schemes that are used when the settings name none
 *  @throws {SettingsError} @throws {SchemeError} */
export async function readNodeSettings(
  { options, settingsFile, isForOneSession }: SettingsSource,
  say: (line: string) => void,
): Promise<ReadSettings> {
  const refusals = new Refusals()
  const own = refusals.of(() => toServerSettings(options, localAddress()))
  refusals.of(() => checkStaticPath(options, settingsFile))
  const found = await refusals.ofLater(() => schemesOf(options, refusals.error ? () => {} : say))
  refusals.of(() => found && checkAgainstSchemes(options, found.schemes))
  const revocable = refusals.of(() => found && revocationSettingsOf(options, found.schemes, isForOneSession))
  refusals.of(() => own && found && checkStaticSessions(own, found.schemes))
  const sdJwt = refusals.of(() => own && found && sdJwtIssuersOf(own.sdJwtFolders, found.schemes))
  if (refusals.error || !own || !found || !revocable || !sdJwt) throw refusals.error
  const { path, schemes } = found
  const { settings: revocation, warnings } = revocable
  const schemeUpdates = updateSettings(options, path, next => {
    checkAgainstSchemes(options, next)
    revocationSettingsOf(options, next, isForOneSession)
    checkStaticSessions(own, next)
  })
  return {
    settings: { ...own, schemes, schemeUpdates, revocation, sdJwtIssuers: sdJwt.issuers },
    warnings: [
      ...warningsAbout(own),
      ...listenersInVain(options),
      ...redisInVain(options),
      ...memoryInVain(options),
      ...sitePathInVain(options),
      ...shortLifetime(own),
      ...warnings,
      ...sdJwt.warnings,
    ],
  }
}
