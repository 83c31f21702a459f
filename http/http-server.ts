/** An HTTP server: its layers in order, outermost first (spec/session-server.md 2.2), as a Koa application, and what listens below it. What the endpoints are
 *  is an argument, as are time and log. @module */
import { createServer as createHttpServer, type Server, type ServerOptions } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import Koa, { type Context, type Middleware, type Next } from 'koa'
import { NotFound } from '../protocol/errors.ts'
import { StoreFailure } from '../stores/store-failure.ts'
import { answerErrors } from './answer-errors.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { Connections } from './connections.ts'
import type { HttpDeps } from './deps.ts'
import { listen } from './listen.ts'
import { logRequests } from './log-requests.ts'
import { traceFields, traceOf } from './request-facts.ts'
import type { Limits, Tls } from './settings.ts'

/** What Koa reports when a client goes away before its answer, or its event stream, is over: normal. */
const CLIENT_LEFT = new Set<string | undefined>(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'])

export type HttpServer = {
  readonly app: Koa
  /** @param port 0: any free one
   *  @param host all interfaces if left out
   *  @returns where it listens
   *  @throws what the system says of the address */
  listen(port: number, host?: string): Promise<AddressInfo>
  /** Goes on, and ends each connection with its next answer: before `close`, so that nobody sends a call on a connection that is about to be closed.
   *  @returns whether there is anybody who could call: it listens */
  drain(): boolean
  /** Takes no more connections, ends what `stop` ends, closes connections without a request, and lets running requests finish, for a bounded time. */
  close(): Promise<void>
}

export type HttpServerParts = {
  /** null: plain HTTP */
  readonly tls: Tls | null
  /** layers around the errors: what they set is on every answer */
  readonly around: readonly Middleware[]
  readonly mount: (app: Koa) => void
  /** at the beginning of `close`: nothing new begins on the connections that are left */
  readonly stop: () => void
}

export function createServer(deps: HttpDeps, { tls, around, mount, stop }: HttpServerParts): HttpServer {
  let isDraining = false
  const app = new Koa()
  app.use(logRequests(deps))
  for (const layer of around) app.use(layer)
  app.use(answerErrors(deps))
  app.use(async function lastAnswerOfConnection(ctx, next) {
    try {
      await next()
    } finally {
      // an open stream has sent its head already, and is ended by `stop`
      if (isDraining) ctx.set('Connection', 'close')
    }
  })
  app.use(requireAddress)
  mount(app)
  app.on('error', (error: NodeJS.ErrnoException, ctx: Context) => {
    if (!CLIENT_LEFT.has(error.code) && !(error instanceof StoreFailure))
      deps.log.error({ err: error, ...traceFields(traceOf(ctx)) }, 'unexpected failure')
  })
  const server = serverBelow(app, tls, deps.settings.limits)
  const connections = new Connections(server, tls !== null)
  server.on(
    'clientError',
    answerBrokenRequest(deps.settings.limits, socket => connections.isAnswering(socket)),
  )
  return {
    app,
    listen: (port, host) => listen(server, port, host),
    drain() {
      isDraining = true
      return server.listening
    },
    close() {
      isDraining = true
      stop()
      return close(server, connections, deps)
    },
  }
}

/** A path that is one without a doubt: those of all endpoints. */
const PLAIN_PATH = /^(\/[\w-]+)+\/?$/

/** What a request asks for may be no address at all, at which Koa fails: it names nothing here.
 *  @throws {NotFound} */
function requireAddress(ctx: Context, next: Next): Promise<void> {
  if (!PLAIN_PATH.test(ctx.url) && !URL.canParse(ctx.url, 'http://host')) throw new NotFound()
  return next()
}

function serverBelow(app: Koa, tls: Tls | null, limits: Limits): Server {
  const options: ServerOptions = {
    headersTimeout: limits.readingMs,
    // for what no endpoint reads; whoever reads a body is stricter
    requestTimeout: 2 * limits.readingMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: 1_000,
    // what is missing or odd is for the application to answer
    requireHostHeader: false,
  }
  const callback = app.callback()
  const server = tls
    ? createHttpsServer({ ...options, ...tls, minVersion: 'TLSv1.2' }, callback)
    : createHttpServer(options, callback)
  return server.on('checkExpectation', callback)
}

/** What has arrived on a connection before it stopped is no idle connection's: it is answered. */
async function haveBeenRead(): Promise<void> {
  for (let turns = 0; turns < 2; turns++) await new Promise(resolve => setImmediate(resolve))
}

async function close(
  server: Server,
  connections: Connections,
  { clock, settings: { limits } }: HttpDeps,
): Promise<void> {
  const timers = [
    clock.setTimeout(() => connections.closeBeforeRequest(), limits.readingMs),
    clock.setTimeout(() => server.closeAllConnections(), limits.stopMs),
  ]
  if (server.listening) await haveBeenRead()
  await new Promise<void>(resolve => {
    server.close(() => resolve())
    connections.stop()
  })
  for (const timer of timers) clock.clearTimeout(timer)
}
