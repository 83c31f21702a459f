/** The OpenID provider over HTTP: its endpoints in the frame of every server, and below the prefix of the profile the endpoints for wallet apps of the session
 *  server inside. @module */
import type { ServerDeps } from '../deps.ts'
import { eventStreams } from '../event-stream.ts'
import { createServer, type HttpServer } from '../http-server.ts'
import { mountRoutes } from '../routes.ts'
import { stoppable } from '../server.ts'
import { boundRequests } from './bounded-requests.ts'
import type { OidcDeps } from './deps.ts'
import { mountProvider } from './mount-provider.ts'
import { mountSignIn } from './routes.ts'

type Embedded = {
  /** the dependencies of the endpoints of the session server inside */
  readonly sessions: ServerDeps
  /** false: logins run at another session server, so wallet apps have no endpoints here */
  readonly areInside: boolean
}

export function createOidcServer(deps: OidcDeps, { sessions: embedded, areInside }: Embedded): HttpServer {
  const streams = eventStreams(embedded)
  const sessions = stoppable(embedded, streams)
  return createServer(deps, {
    tls: deps.settings.tls,
    around: [],
    mount(app) {
      mountSignIn(app, { ...deps, streams })
      boundRequests(app, deps)
      mountProvider(app, deps)
      if (areInside) mountRoutes(app, sessions.deps, streams, 'clients')
    },
    stop: sessions.stop,
  })
}
