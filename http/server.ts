/** The session server over HTTP: its endpoints in the frame of every server (http-server.ts). Time, randomness, sessions and log are arguments; nothing else is
 *  read. @module */
import { UnavailableError } from '../protocol/errors.ts'
import { cors, WITHOUT_LAYERS } from './cors.ts'
import type { ServerDeps } from './deps.ts'
import { type EventStreams, eventStreams } from './event-stream.ts'
import { createServer, type HttpServer } from './http-server.ts'
import { STOPPING } from './open-streams.ts'
import { type Callers, mountRoutes } from './routes.ts'

/** When it closes, it takes no new sessions and no new event streams, and ends those that are open. The sessions stay open. */
export type SessionServer = HttpServer

/** @param callers whose calls it accepts; a server for clients alone has TLS settings of its own
 *  @param streams shared by the listeners of one server, so that the streams of a session count together */
export function createSessionServer(
  deps: ServerDeps,
  callers: Callers = 'everybody',
  streams: EventStreams = eventStreams(deps),
): SessionServer {
  const { tls, clientTls } = deps.settings
  const sessions = stoppable(deps, streams)
  return createServer(deps, {
    tls: callers === 'clients' ? clientTls : tls,
    around: [cors()],
    headers: WITHOUT_LAYERS,
    mount: app => mountRoutes(app, sessions.deps, streams, callers),
    stop: sessions.stop,
  })
}

/** The dependencies of a server that begins no sessions once it stops. */
export function stoppable(deps: ServerDeps, streams: EventStreams) {
  let isStopping = false
  /** @throws {UnavailableError} once it stops */
  const isOverloaded: ServerDeps['isOverloaded'] = requestor => {
    if (isStopping) throw new UnavailableError(STOPPING)
    return deps.isOverloaded(requestor)
  }
  return {
    deps: { ...deps, isOverloaded },
    stop(): void {
      isStopping = true
      streams.closeAll()
    },
  }
}
