/** The keyshare server over HTTP: its own endpoints, and those of its embedded session server for apps and frontends. The latter are below the prefix of the
 *  profile. The embedded server issues the login credential. @module */
import type { AccountPageDeps } from '../account-page/deps.ts'
import { mountAccountPage } from '../account-page/routes.ts'
import type { ServerDeps } from '../deps.ts'
import { eventStreams } from '../event-stream.ts'
import { createServer, type HttpServer } from '../http-server.ts'
import { mountRoutes } from '../routes.ts'
import { stoppable } from '../server.ts'
import type { KeyshareDeps } from './deps.ts'
import { mountKeyshareRoutes } from './routes.ts'

/** @param embedded the dependencies of the endpoints of the embedded session server
 *  @param page the dependencies of the account page; null: there is no page, because no mail can be sent */
export function createKeyshareServer(
  deps: KeyshareDeps,
  embedded: ServerDeps,
  page: AccountPageDeps | null = null,
): HttpServer {
  const streams = eventStreams(embedded)
  const sessions = stoppable(embedded, streams)
  return createServer(deps, {
    tls: deps.settings.tls,
    around: [],
    mount(app) {
      const tables = mountKeyshareRoutes(app, deps)
      if (page !== null) mountAccountPage(app, page)
      mountRoutes(app, sessions.deps, streams, 'clients', tables)
    },
    stop: sessions.stop,
  })
}
