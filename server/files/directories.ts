/** Where `svc` keeps things when nobody says where: the user's data directory. @module */
import { homedir, networkInterfaces } from 'node:os'
import { join } from 'node:path'

function dataDirectory(): string {
  const home = process.env.XDG_DATA_HOME || process.env.LOCALAPPDATA || join(homedir(), '.local', 'share')
  return join(home, 'svc')
}

export const defaultSchemesPath = (): string => join(dataDirectory(), 'svc_configuration')
export const defaultStorePath = (): string => join(dataDirectory(), 'sessions.sqlite')
export const defaultKeyshareStorePath = (): string => join(dataDirectory(), 'keyshare.sqlite')
export const defaultWalletPath = (): string => join(dataDirectory(), 'wallet')

/** Settings files that are read when none is named, without their ending.
 *  @param name of the server */
export function usualSettingsFiles(name: string): readonly string[] {
  return ['.', `/etc/${name}`, join(homedir(), `.${name}`)].map(folder => join(folder, name))
}

/** Where the existing server finds its settings file when none is named, without its ending (`spec/schemes-and-cli.md` 17.2).
 *  @param name of that server */
export function usualFilesElsewhere(name: string): readonly string[] {
  return [...usualSettingsFiles(name), join(homedir(), name, name)]
}

/** First IPv4 address at which other machines of the network may reach this one; without a network, this machine alone. */
export function localAddress(): string {
  return networkAddresses()[0] ?? '127.0.0.1'
}

/** IPv4 addresses at which other machines of a network may reach this one. */
export function networkAddresses(interfaces = networkInterfaces()): readonly string[] {
  const all = Object.values(interfaces).flatMap(addresses => addresses ?? [])
  return all.filter(one => one.family === 'IPv4' && !one.internal).map(({ address }) => address)
}
