/** The default places of the files of `svc`: the user's data directory. @module */
import { homedir, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { SettingsError } from '../settings/errors.ts'

/** @returns null: this user has none, for example because a container runs under a user id without an entry in passwd */
function homeFolder(): string | null {
  try {
    return homedir() || null
  } catch {
    return null // `homedir` throws if the user has no entry in passwd; its error says nothing more
  }
}

function dataDirectory(): string | null {
  const given = process.env.XDG_DATA_HOME || process.env.LOCALAPPDATA
  if (given) return join(given, 'svc')
  const home = homeFolder()
  return home === null ? null : join(home, '.local', 'share', 'svc')
}

/** @param option that names another place
 *  @throws {SettingsError} if this user has no home folder */
function inDataDirectory(name: string, option: string): string {
  const folder = dataDirectory()
  if (folder !== null) return join(folder, name)
  throw new SettingsError(
    `${option}: expected a path, because this user has no home folder, where the default one would be, got none`,
  )
}

export const defaultSchemesPath = (option = 'schemes_path'): string =>
  inDataDirectory('svc_configuration', option)
export const defaultStorePath = (): string => inDataDirectory('sessions.sqlite', 'store')
export const defaultKeyshareStorePath = (): string => inDataDirectory('keyshare.sqlite', 'store')
export const defaultOidcStorePath = (): string => inDataDirectory('oidc.sqlite', 'store')
export const defaultWalletPath = (): string => inDataDirectory('wallet', '--dir')

/** The folder for the compiled code of the program. It belongs to this user, because its files run with the rights of this user.
 *  @returns null: this user has no home folder */
export function compileCacheFolder(): string | null {
  const home = homeFolder()
  const given = process.env.XDG_CACHE_HOME || (home && join(home, '.cache'))
  return given && join(given, 'svc', 'compiled')
}

/** The folders in which schemes may be installed, for commands that also work without schemes. */
export function usualSchemesPaths(): readonly string[] {
  return dataDirectory() === null ? [] : [defaultSchemesPath()]
}

/** Settings files that are read when none is named, without their ending.
 *  @param name of the server */
export function usualSettingsFiles(name: string): readonly string[] {
  return [join('.', name), `/etc/${name}/${name}`, ...inHome(`.${name}/${name}`)]
}

function inHome(path: string): readonly string[] {
  const home = homeFolder()
  return home === null ? [] : [join(home, path)]
}

/** Settings files that the existing server reads when none is named, without their ending (spec/schemes-and-cli#17.2).
 *  @param name of that server */
export function usualFilesElsewhere(name: string): readonly string[] {
  return [...usualSettingsFiles(name), ...inHome(`${name}/${name}`)]
}

/** The first IPv4 address at which other machines of the network may reach this one; without a network, the loopback address. */
export function localAddress(): string {
  return networkAddresses()[0] ?? '127.0.0.1'
}

/** IPv4 addresses at which other machines of a network may reach this one. */
export function networkAddresses(interfaces = networkInterfaces()): readonly string[] {
  const all = Object.values(interfaces).flatMap(addresses => addresses ?? [])
  return all.filter(one => one.family === 'IPv4' && !one.internal).map(({ address }) => address)
}
