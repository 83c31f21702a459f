/** `svc server`: from the settings to a server that runs until it is told to stop. @module */
import type { Logger } from 'pino'
import { createNode } from '../../server/create-node.ts'
import { checkOptionStore } from '../../server/open-option-store.ts'
import { readNodeSettings } from '../../server/settings/node-settings.ts'
import { startServer } from '../../server/start.ts'
import { systemWorld } from '../../server/world.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { StoreLost } from '../../stores/store-failure.ts'
import { stopSignal } from '../stop-signal.ts'
import { type Given, readOptions } from './options.ts'

/** Runs until SIGINT or SIGTERM, then lets running requests finish. */
export async function runServer(given: Given): Promise<void> {
  const { options, log, settingsFile } = readOptions(given)
  const stopped = stopSignal() // one that comes while it starts counts too
  const server = await startServer({ options, settingsFile }, { ...systemWorld(log), lost: endAtOnce(log) })
  const signal = await stopped
  log.info({ signal }, 'svc server stopping')
  await server.close()
}

/** Whatever still runs could only be refused by the store, which now is another process's. */
function endAtOnce(log: Logger): (error: StoreLost) => never {
  return error => {
    log.fatal(error.message)
    process.exit(1)
  }
}

/** Builds everything and listens to nothing. The store stays closed: a server with the settings of before may be running on it. */
export async function checkServer(given: Given): Promise<void> {
  const { options, log, settingsFile } = readOptions(given)
  checkOptionStore(options.store)
  const { settings, warnings } = await readNodeSettings({ options, settingsFile }, line => log.warn(line))
  const node = await createNode(settings, { ...systemWorld(log), instead: { store: createMemoryStore() } })
  await node.close()
  for (const warning of warnings) log.warn(warning)
  log.info('the settings are in order')
}
