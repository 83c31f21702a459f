/** `svc keyshare`: reads the settings and runs a keyshare server until a signal stops it. @module */
import { createKeyshareNode } from '../../server/keyshare/create-keyshare-node.ts'
import { checkKeyshareStore, sayDefaultKeyshareStore } from '../../server/keyshare/open-keyshare-store.ts'
import { lookAtMailServer, startKeyshareServer } from '../../server/keyshare/start.ts'
import { storeAddressOf } from '../../server/settings/checks.ts'
import { Refusals } from '../../server/settings/errors.ts'
import { type KeyshareOptionValues, keyshareServer } from '../../server/settings/keyshare-server.ts'
import {
  type KeyshareSettingsSource,
  type ReadKeyshareSettings,
  readKeyshareSettings,
} from '../../server/settings/keyshare-settings.ts'
import { ownKeysThatExpire } from '../../server/settings/warnings.ts'
import { systemWorld } from '../../server/world.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { type CommandLineInput, checkOptions, type ReadOptions, withOptions } from '../servers/options.ts'
import { runUntilStopped } from '../servers/run-until-stopped.ts'

export async function run(given: CommandLineInput): Promise<void> {
  await withOptions(keyshareServer, given, {
    read: readQuietly,
    run: ({ options, log }) =>
      runUntilStopped('svc keyshare', log, world => startKeyshareServer({ options }, world)),
  })
}

function readQuietly({ options }: ReadOptions<KeyshareOptionValues>): Promise<unknown> {
  return readKeyshareSettings({ options }, () => {})
}

/** Builds every part of the server, without listening. The store is not opened: a server with the previous settings may be using it. */
export async function check(given: CommandLineInput): Promise<void> {
  const read = ({ options }: ReadOptions<KeyshareOptionValues>): Promise<unknown> =>
    readAll({ options }, () => {})
  await checkOptions(keyshareServer, given, { read, run: look })
}

/** Reads the settings and checks the options of the store.
 *  @throws {SettingsError} with all refused settings */
async function readAll(
  source: KeyshareSettingsSource,
  say: (line: string) => void,
): Promise<ReadKeyshareSettings> {
  const refusals = new Refusals()
  refusals.of(() => checkKeyshareStore(storeAddressOf(source.options)))
  const read = await refusals.ofLater(() => readKeyshareSettings(source, say))
  if (refusals.error || !read) throw refusals.error
  return read
}

async function look({ options, log }: ReadOptions<KeyshareOptionValues>): Promise<void> {
  const { settings, warnings } = await readAll({ options }, line => log.warn(line))
  const world = { ...systemWorld(log), instead: { store: createMemoryStore() } }
  await lookAtMailServer(settings, world)
  const node = await createKeyshareNode(settings, world)
  await node.close()
  sayDefaultKeyshareStore(settings.store, log)
  const expiring = ownKeysThatExpire(settings.sessions.schemes, world.clock)
  for (const warning of [...warnings, ...expiring]) log.warn(warning)
  log.info('the settings are in order')
}
