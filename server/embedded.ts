/** A session server inside another program: the same settings as `svc server`, by their names in TypeScript, without flags, variables and files. It listens by itself, or
 *  answers the calls that a server of that program passes on. @module */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../ports/clock.ts'
import { createNode } from './create-node.ts'
import { createLog } from './log/log.ts'
import type { RunningServer } from './running-server.ts'
import { keysThatExpire } from './settings/expiring.ts'
import { readNodeSettings } from './settings/node-settings.ts'
import { type SessionServerOptions, settingsOfProgram } from './settings/of-program.ts'
import { type OptionValues, sessionServer } from './settings/session-server.ts'
import { startServer } from './start.ts'
import { systemWorld } from './world.ts'

/** @throws {SettingsError} with expected and got, and as `startServer` */
export async function startSessionServer(options: SessionServerOptions = {}): Promise<RunningServer> {
  const all = resolved(options)
  return startServer({ options: all }, systemWorld(createLog(all)))
}

/** A session server without a listener. */
export type EmbeddedServer = {
  /** answers a call of `node:http`, or of a framework that passes on its request and response objects. A path that is no endpoint gets 404. */
  readonly handle: (request: IncomingMessage, answer: ServerResponse) => void
  /** ends its event streams and its work. The listener belongs to the program, which closes it before or after. */
  readonly close: () => Promise<void>
}

/** @param options those about listeners have no effect (ports, addresses, TLS, the inspector and metrics); `url` must be the address at which wallet apps reach the program
 *  @throws {SettingsError} with expected and got @throws {SchemeError} @throws {Error} of the store or the arithmetic */
export async function createSessionHandler(
  options: SessionServerOptions & { readonly url: string },
): Promise<EmbeddedServer> {
  return handlerIn({}, options)
}

/** @param parts replace those of `systemWorld` */
export async function handlerIn(
  parts: { readonly clock?: Clock },
  options: SessionServerOptions,
): Promise<EmbeddedServer> {
  const all = resolved({ ...options, clientPort: 0 })
  const world = { ...systemWorld(createLog(all)), ...parts }
  const { settings, warnings } = await readNodeSettings({ options: all }, line => world.log.warn(line))
  const node = await createNode(settings, world)
  const expiring = keysThatExpire(settings, world.clock)
  for (const warning of [...warnings, ...expiring]) world.log.warn(warning)
  const callback = node.server.app.callback()
  return { handle: (request, answer) => void callback(request, answer), close: node.close }
}

function resolved(options: SessionServerOptions): OptionValues {
  const file = settingsOfProgram(options, sessionServer)
  return sessionServer.resolve({ flags: {}, variables: {}, file }).options
}
