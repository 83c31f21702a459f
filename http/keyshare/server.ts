/** The keyshare server over HTTP: its endpoints in the frame of every server, and below the prefix of the profile the endpoints for wallet apps of the session
 *  server that issues its login credential. @module */
import type { ServerDeps } from '../deps.ts'
import { eventStreams } from '../event-stream.ts'
import { createServer, type HttpServer } from '../http-server.ts'
import { mountRoutes } from '../routes.ts'
import { stoppable } from '../server.ts'
import type { KeyshareDeps } from './deps.ts'
import { mountKeyshareRoutes } from './routes.ts'

/** @param embedded what the endpoints of the embedded session server are given */
export function createKeyshareServer(deps: KeyshareDeps, embedded: ServerDeps): HttpServer {
  const streams = eventStreams(embedded)
  const sessions = stoppable(embedded, streams)
  return createServer(deps, {
    tls: deps.settings.tls,
    around: [],
    mount(app) {
      mountKeyshareRoutes(app, deps)
      mountRoutes(app, sessions.deps, streams, 'clients')
    },
    stop: sessions.stop,
  })
}
