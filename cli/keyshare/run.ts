/** `svc keyshare`: from the settings to a keyshare server that runs until it is told to stop. @module */
import { createKeyshareNode } from '../../server/keyshare/create-keyshare-node.ts'
import { checkKeyshareStore } from '../../server/keyshare/open-keyshare-store.ts'
import { lookAtMailServer, startKeyshareServer } from '../../server/keyshare/start.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { readKeyshareSettings } from '../../server/settings/keyshare-settings.ts'
import { ownKeysThatExpire } from '../../server/settings/warnings.ts'
import { systemWorld } from '../../server/world.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { runUntilStopped } from '../run-server.ts'
import { type Given, withOptions } from '../server-options.ts'

export async function run(given: Given): Promise<void> {
  await withOptions(keyshareServer, given, ({ options, log }) =>
    runUntilStopped('svc keyshare', log, world => startKeyshareServer({ options }, world)),
  )
}

/** Builds everything and listens to nothing. The store stays closed: a server with the settings of before may be running on it. */
export async function check(given: Given): Promise<void> {
  await withOptions(keyshareServer, given, async ({ options, log }) => {
    checkKeyshareStore(options.store)
    const { settings, warnings } = await readKeyshareSettings({ options }, line => log.warn(line))
    const world = { ...systemWorld(log), instead: { store: createMemoryStore() } }
    await lookAtMailServer(settings, world)
    const node = await createKeyshareNode(settings, world)
    await node.close()
    const expiring = ownKeysThatExpire(settings.sessions.schemes, world.clock)
    for (const warning of [...warnings, ...expiring]) log.warn(warning)
    log.info('the settings are in order')
  })
}
