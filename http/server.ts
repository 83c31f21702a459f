/** The session server as a Koa application: its layers in order, outermost first (spec/session-server.md 2.2), and the HTTP server below it. Time,
 *  randomness, sessions and log are arguments; nothing else is read. @module */
import { createServer as createHttpServer, type Server, type ServerOptions } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import Koa, { type Context, type Next } from 'koa'
import { NotFound, Unavailable } from '../protocol/errors.ts'
import { StoreFailure } from '../stores/store-failure.ts'
import { answerErrors } from './answer-errors.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { Connections } from './connections.ts'
import { cors } from './cors.ts'
import type { ServerDeps } from './deps.ts'
import { type EventStreams, eventStreams } from './event-stream.ts'
import { logRequests } from './log-requests.ts'
import { STOPPING } from './open-streams.ts'
import { type Callers, mountRoutes } from './routes.ts'
import type { Limits, ServerSettings } from './settings.ts'

/** What Koa reports when a client goes away before its answer, or its event stream, is over: normal. */
const CLIENT_LEFT = new Set<string | undefined>(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'])

export type SessionServer = {
  readonly app: Koa
  /** @param port 0: any free one
   *  @param host all interfaces if left out
   *  @returns where it listens
   *  @throws what the system says of the address */
  listen(port: number, host?: string): Promise<AddressInfo>
  /** Takes no more connections, no new sessions and no new event streams, ends those that are open, closes connections without a request, and lets
   *  running requests finish, for a bounded time. The sessions stay open. */
  close(): Promise<void>
}

/** @param callers of whom it takes calls; a server for clients alone has TLS settings of its own
 *  @param streams shared by the listeners of one server, so that the streams of a session count together */
export function createSessionServer(
  deps: ServerDeps,
  callers: Callers = 'everybody',
  streams: EventStreams = eventStreams(deps),
): SessionServer {
  let isClosing = false
  /** @throws {Unavailable} once it stops: nothing new begins on the connections that are left */
  const isOverloaded = (): boolean => {
    if (isClosing) throw new Unavailable(STOPPING)
    return deps.isOverloaded()
  }
  const app = new Koa()
  app.use(logRequests(deps)).use(cors()).use(answerErrors(deps))
  app.use(async function lastAnswerOfConnection(ctx, next) {
    await next().finally(() => isClosing && ctx.set('Connection', 'close'))
  })
  app.use(requireAddress)
  mountRoutes(app, { ...deps, isOverloaded }, streams, callers)
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (!CLIENT_LEFT.has(error.code) && !(error instanceof StoreFailure))
      deps.log.error({ err: error }, 'unexpected failure')
  })
  const { tls, clientTls, limits } = deps.settings
  const ownTls = callers === 'clients' ? clientTls : tls
  const server = createServer(app, ownTls, limits)
  const connections = new Connections(server, ownTls !== null)
  return {
    app,
    listen: (port, host) => listen(server, port, host),
    close() {
      isClosing = true
      return close(server, connections, streams, deps)
    },
  }
}

/** What a request asks for may be no address at all, at which Koa fails: it names nothing here.
 *  @throws {NotFound} */
function requireAddress(ctx: Context, next: Next): Promise<void> {
  if (!URL.canParse(ctx.url, 'http://host')) throw new NotFound()
  return next()
}

function createServer(app: Koa, tls: ServerSettings['tls'], limits: Limits): Server {
  const options: ServerOptions = {
    headersTimeout: limits.readingMs,
    // for what no endpoint reads; whoever reads a body is stricter
    requestTimeout: 2 * limits.readingMs,
    connectionsCheckingInterval: 1_000,
    // what is missing or odd is for the application to answer
    requireHostHeader: false,
  }
  const callback = app.callback()
  const server = tls
    ? createHttpsServer({ ...options, ...tls, minVersion: 'TLSv1.2' }, callback)
    : createHttpServer(options, callback)
  return server.on('checkExpectation', callback).on('clientError', answerBrokenRequest(limits))
}

function listen(server: Server, port: number, host: string | undefined): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, ...(host !== undefined && { host }) }, () => {
      server.off('error', reject)
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(address)
      else reject(new TypeError('expected an address with a port'))
    })
  })
}

async function close(
  server: Server,
  connections: Connections,
  streams: EventStreams,
  { clock, settings: { limits } }: ServerDeps,
): Promise<void> {
  streams.closeAll()
  const timers = [
    clock.setTimeout(() => connections.closeBeforeRequest(), limits.readingMs),
    clock.setTimeout(() => server.closeAllConnections(), limits.stopMs),
  ]
  await new Promise<void>(resolve => {
    server.close(() => resolve())
    connections.stop()
  })
  for (const timer of timers) clock.clearTimeout(timer)
}
