/** `svc server`: reads the settings and runs a session server until a signal stops it. @module */
import { createNode } from '../../server/create-node.ts'
import { defaultStorePath } from '../../server/files/directories.ts'
import { checkOptionStore, sayDefaultStore } from '../../server/open-option-store.ts'
import { Refusals } from '../../server/settings/errors.ts'
import { keysThatExpire } from '../../server/settings/expiring.ts'
import {
  type ReadSettings,
  readNodeSettings,
  type SettingsSource,
} from '../../server/settings/node-settings.ts'
import { redisSettingsOf } from '../../server/settings/redis.ts'
import { type OptionValues, sessionServer } from '../../server/settings/session-server.ts'
import { startServer } from '../../server/start.ts'
import { systemWorld } from '../../server/world.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { type CommandLineInput, checkOptions, type ReadOptions, withOptions } from '../servers/options.ts'
import { runUntilStopped } from '../servers/run-until-stopped.ts'

export async function run(given: CommandLineInput): Promise<void> {
  await withOptions(sessionServer, given, {
    read: readQuietly,
    run: ({ options, log, settingsFile }) =>
      runUntilStopped('svc server', log, world => startServer({ options, settingsFile }, world)),
  })
}

function readQuietly({ options, settingsFile }: ReadOptions<OptionValues>): Promise<unknown> {
  return readNodeSettings({ options, settingsFile }, () => {})
}

/** Builds every part of the server, without listening. The store is not opened: a server with the previous settings may be using it. */
export async function check(given: CommandLineInput): Promise<void> {
  const read = ({ options, settingsFile }: ReadOptions<OptionValues>): Promise<unknown> =>
    readAll({ options, settingsFile }, () => {})
  await checkOptions(sessionServer, given, { read, run: look })
}

/** Reads the settings and checks the options of the store.
 *  @throws {SettingsError} with all refused settings */
async function readAll(source: SettingsSource, say: (line: string) => void): Promise<ReadSettings> {
  const { options } = source
  const refusals = new Refusals()
  refusals.of(() => checkOptionStore({ name: redisSettingsOf(options).store, defaultFile: defaultStorePath }))
  const read = await refusals.ofLater(() => readNodeSettings(source, say))
  if (refusals.error || !read) throw refusals.error
  return read
}

async function look({ options, log, settingsFile }: ReadOptions<OptionValues>): Promise<void> {
  const world = { ...systemWorld(log), instead: { store: createMemoryStore() } }
  const { settings, warnings } = await readAll({ options, settingsFile }, line => log.warn(line))
  const node = await createNode(settings, world)
  await node.close()
  sayDefaultStore({ name: settings.store, defaultFile: defaultStorePath }, log)
  for (const warning of [...warnings, ...keysThatExpire(settings, world.clock)]) log.warn(warning)
  log.info('the settings are in order')
}
