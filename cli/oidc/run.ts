/** `svc oidc`: reads the settings and runs an OpenID provider until a signal stops it. @module */
import { createOidcNode } from '../../server/oidc/create-oidc-node.ts'
import { checkOidcStore, sayDefaultOidcStore } from '../../server/oidc/open-oidc-store.ts'
import { probeRemote } from '../../server/oidc/remote/probe.ts'
import { startOidcServer } from '../../server/oidc/start.ts'
import { storeAddressOf } from '../../server/settings/checks.ts'
import { Refusals, SettingsError } from '../../server/settings/errors.ts'
import { type OidcOptionValues, oidcServer } from '../../server/settings/oidc-server.ts'
import {
  type OidcSettingsSource,
  type ReadOidcSettings,
  readOidcSettings,
} from '../../server/settings/oidc-settings.ts'
import { ownKeysThatExpire } from '../../server/settings/warnings.ts'
import { systemWorld } from '../../server/world.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { type CommandLineInput, checkOptions, type ReadOptions, withOptions } from '../servers/options.ts'
import { runUntilStopped } from '../servers/run-until-stopped.ts'

export async function run(given: CommandLineInput): Promise<void> {
  await withOptions(oidcServer, given, {
    read: ({ options }) => readOidcSettings({ options }, () => {}),
    run: ({ options, log }) => runUntilStopped('svc oidc', log, world => startOidcServer({ options }, world)),
  })
}

/** Builds every part of the server, without listening. The store is not opened: a server with the previous settings may be using it. */
export async function check(given: CommandLineInput): Promise<void> {
  const read = ({ options }: ReadOptions<OidcOptionValues>): Promise<unknown> =>
    readAll({ options }, () => {})
  await checkOptions(oidcServer, given, { read, run: look })
}

/** Reads the settings and checks the options of the store.
 *  @throws {SettingsError} with all refused settings */
async function readAll(source: OidcSettingsSource, say: (line: string) => void): Promise<ReadOidcSettings> {
  const refusals = new Refusals()
  refusals.of(() => checkOidcStore(storeAddressOf(source.options)))
  const read = await refusals.ofLater(() => readOidcSettings(source, say))
  if (refusals.error || !read) throw refusals.error
  return read
}

async function look({ options, log }: ReadOptions<OidcOptionValues>): Promise<void> {
  const { settings, warnings } = await readAll({ options }, line => log.warn(line))
  const world = { ...systemWorld(log), instead: { store: createMemoryStore() } }
  const node = await createOidcNode(settings, world)
  await node.close()
  const mistake = await probeRemote(settings, world)
  if (mistake?.isRefusal) throw new SettingsError(mistake.text)
  if (mistake) log.warn(mistake.text)
  sayDefaultOidcStore(settings.store, log)
  const expiring = ownKeysThatExpire(settings.sessions.schemes, world.clock)
  for (const warning of [...warnings, ...expiring]) log.warn(warning)
  log.info('the settings are in order')
}
