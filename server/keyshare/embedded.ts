/** A keyshare server inside another program: the same settings as `svc keyshare`, by their names in TypeScript, without flags, variables and files. @module */
import { createLog } from '../log/log.ts'
import type { RunningKeyshareServer } from '../running-server.ts'
import { keyshareServer } from '../settings/keyshare-server.ts'
import { type KeyshareServerOptions, settingsOfProgram } from '../settings/of-program.ts'
import { systemWorld } from '../world.ts'
import { startKeyshareServer } from './start.ts'

/** @throws {SettingsError} with expected and got, and as `startKeyshareServer` */
export async function startKeyshareInProgram(
  options: KeyshareServerOptions = {},
): Promise<RunningKeyshareServer> {
  const file = settingsOfProgram(options, keyshareServer)
  const { options: all } = keyshareServer.resolve({ flags: {}, variables: {}, file })
  return startKeyshareServer({ options: all }, systemWorld(createLog(all)))
}
