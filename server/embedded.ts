/** A session server inside another program: the same settings as `svc server`, by their names in TypeScript, without flags, variables and files. @module */
import { createLog } from './log/log.ts'
import type { RunningServer } from './running-server.ts'
import { type SessionServerOptions, settingsOfProgram } from './settings/of-program.ts'
import { sessionServer } from './settings/session-server.ts'
import { startServer } from './start.ts'
import { systemWorld } from './world.ts'

/** @throws {SettingsError} with expected and got, and as `startServer` */
export async function startSessionServer(options: SessionServerOptions = {}): Promise<RunningServer> {
  const file = settingsOfProgram(options, sessionServer)
  const { options: all } = sessionServer.resolve({ flags: {}, variables: {}, file })
  return startServer({ options: all }, systemWorld(createLog(all)))
}
