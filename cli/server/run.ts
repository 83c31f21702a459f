/** `svc server`: from the settings to a server that runs until it is told to stop. @module */
import { createNode } from '../../server/create-node.ts'
import { defaultStorePath } from '../../server/files/directories.ts'
import { checkOptionStore } from '../../server/open-option-store.ts'
import { readNodeSettings } from '../../server/settings/node-settings.ts'
import { redisSettingsOf } from '../../server/settings/redis.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { ownKeysThatExpire } from '../../server/settings/warnings.ts'
import { startServer } from '../../server/start.ts'
import { systemWorld } from '../../server/world.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { runUntilStopped } from '../run-server.ts'
import { type Given, withOptions } from '../server-options.ts'

export async function run(given: Given): Promise<void> {
  await withOptions(sessionServer, given, ({ options, log, settingsFile }) =>
    runUntilStopped('svc server', log, world => startServer({ options, settingsFile }, world)),
  )
}

/** Builds everything and listens to nothing. The store stays closed: a server with the settings of before may be running on it. */
export async function check(given: Given): Promise<void> {
  await withOptions(sessionServer, given, async ({ options, log, settingsFile }) => {
    checkOptionStore({ name: redisSettingsOf(options).store, defaultFile: defaultStorePath() })
    const world = { ...systemWorld(log), instead: { store: createMemoryStore() } }
    const { settings, warnings } = await readNodeSettings({ options, settingsFile }, line => log.warn(line))
    const node = await createNode(settings, world)
    await node.close()
    for (const warning of [...warnings, ...ownKeysThatExpire(settings.schemes, world.clock)])
      log.warn(warning)
    log.info('the settings are in order')
  })
}
