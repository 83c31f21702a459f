/** A session server inside another program: the same settings as `svc server`, without flags, variables and files. @module */
import { createLog } from './log/log.ts'
import type { OptionValues } from './settings/session-server.ts'
import { sessionServer } from './settings/session-server.ts'
import { type RunningServer, startServer } from './start.ts'
import { systemWorld } from './world.ts'

/** @param options by the names of docs/options.md
 *  @throws {SettingsError} with expected and got, and as `startServer` */
export async function startSessionServer(options: Partial<OptionValues> = {}): Promise<RunningServer> {
  const file = { name: 'options', values: options }
  const { options: all, warnings } = sessionServer.resolve({ flags: {}, variables: {}, file })
  const log = createLog(all)
  for (const warning of warnings) log.warn(warning)
  return startServer({ options: all }, systemWorld(log))
}
