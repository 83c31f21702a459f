/** An HTTP server: its layers in order, outermost first (spec/session-server#2.2), as a Koa application, and its listener. The endpoints, the clock and the
 *  log are arguments. @module */
import { createServer as createHttpServer, type Server, type ServerOptions } from 'node:http'
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import Koa, { type Context, type Middleware, type Next } from 'koa'
import { type Clock, pause } from '../ports/clock.ts'
import { NotFoundError } from '../protocol/errors.ts'
import { StoreError } from '../stores/store-error.ts'
import { answerErrors } from './answer-errors.ts'
import { brokenRequests } from './broken-request.ts'
import { Connections } from './connections.ts'
import type { HttpDeps } from './deps.ts'
import { listen, readingOptions, takeExpectations } from './listen.ts'
import { logRequests } from './log-requests.ts'
import { pathOf, traceFields, traceOf } from './request-facts.ts'
import type { Limits, Tls } from './settings.ts'

/** The codes that Koa reports when a client leaves before the end of its answer or event stream. This is normal. */
const CLIENT_LEFT = new Set<string | undefined>(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'])

export type HttpServer = {
  readonly app: Koa
  /** @param port 0: any free one
   *  @param host all interfaces if left out
   *  @returns where it listens
   *  @throws the error of the system about the address */
  listen(port: number, host?: string): Promise<AddressInfo>
  /** New connections get this certificate, and open ones keep theirs. It has no effect on a server of plain HTTP.
   *  @throws {Error} if OpenSSL cannot use it: nothing changes then */
  renewTls(tls: Tls): void
  /** Continues to answer calls, and ends each connection with its next answer. Called before `close`, so that no client sends a call on a connection that is about to
   *  close.
   *  @returns true if it listens, so that clients could still call */
  drain(): boolean
  /** Accepts no more connections, and calls `stop`. It answers each request that has begun or begins within `stopIdleMs`, and then closes idle connections; all in
   *  bounded time. */
  close(): Promise<void>
}

export type HttpServerParts = {
  /** null: plain HTTP */
  readonly tls: Tls | null
  /** layers outside of the layer that answers errors: the headers that they set are on every answer */
  readonly around: readonly Middleware[]
  /** the headers of answers to broken requests, which reach no layer */
  readonly headers?: Readonly<Record<string, string>>
  readonly mount: (app: Koa) => void
  /** called at the beginning of `close`: from then on no session and no stream begins on the open connections */
  readonly stop: () => void
}

export function createServer(
  deps: HttpDeps,
  { tls, around, headers, mount, stop }: HttpServerParts,
): HttpServer {
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
  app.use(function keptByNobody(ctx, next) {
    ctx.set('Cache-Control', 'no-store') // most answers hold a token or a value; an endpoint may set another value
    return next()
  })
  app.use(requireAddress)
  mount(app)
  app.on('error', (error: NodeJS.ErrnoException, ctx: Context) => {
    if (!CLIENT_LEFT.has(error.code) && !(error instanceof StoreError))
      deps.log.error({ err: error, ...traceFields(traceOf(ctx)) }, 'unexpected failure')
  })
  const server = serverBelow(app, tls, deps.settings.limits)
  const connections = new Connections(server, tls !== null)
  const broken = brokenRequests({
    clock: deps.clock,
    limits: deps.settings.limits,
    ...(headers && { headers }),
    answers: connections.answers,
  })
  server.on('clientError', broken.answer)
  server.on('connection', () => deps.loop?.accepted())
  return {
    app,
    listen: (port, host) => listen(server, port, host),
    renewTls(next) {
      if (server instanceof HttpsServer) server.setSecureContext(secureContextOf(next))
    },
    drain() {
      isDraining = true
      return server.listening
    },
    close() {
      isDraining = true
      stop()
      return close(server, connections, broken.refuseLate, deps)
    },
  }
}

/** The target of a request may have no path, and the layers below need one. Such a request gets 404.
 *  @throws {NotFoundError} */
function requireAddress(ctx: Context, next: Next): Promise<void> {
  if (pathOf(ctx) === null) throw new NotFoundError()
  return next()
}

function serverBelow(app: Koa, tls: Tls | null, limits: Limits): Server {
  const options: ServerOptions = {
    ...readingOptions(limits),
    keepAliveTimeout: limits.idleMs,
    // the application answers a missing or odd header
    requireHostHeader: false,
  }
  const callback = app.callback()
  const server = tls
    ? createHttpsServer({ ...options, ...secureContextOf(tls), handshakeTimeout: limits.readingMs }, callback)
    : createHttpServer(options, callback)
  server.timeout = limits.idleMs // of a client that does not read its answer
  return takeExpectations(server)
}

function secureContextOf({ cert, key }: Tls) {
  return { cert, key, minVersion: 'TLSv1.2' } as const
}

/** The most turns of the event loop for accepting waiting connections. The queue of the system is shorter (511 by default). */
const MOST_TURNS = 1_000

/** Accepts the connections that wait in the system's queue, because closing the listener would reset them. Node accepts one in a turn of the event loop. */
async function takeWaiting(connections: Connections): Promise<void> {
  for (let turns = 0, without = 0; without < 2 && turns < MOST_TURNS; turns++) {
    const before = connections.taken
    await new Promise(resolve => setImmediate(resolve))
    without = connections.taken === before ? without + 1 : 0
  }
}

async function close(
  server: Server,
  connections: Connections,
  refuseLate: (socket: Socket) => void,
  { clock, settings: { limits } }: HttpDeps,
): Promise<void> {
  const { stopIdleMs, readingMs, stopMs } = limits
  const over = new AbortController()
  const timers = [
    clock.setTimeout(() => connections.closeBeforeRequest(refuseLate), stopIdleMs + readingMs),
    clock.setTimeout(() => server.closeAllConnections(), stopMs),
  ]
  const closed = new Promise<void>(resolve => server.once('close', () => resolve())).then(() => over.abort())
  if (server.listening) await takeWaiting(connections)
  NetServer.prototype.close.call(server) // `close` of the HTTP server would close idle connections at once
  connections.watchSilent()
  do {
    await pauseUnlessNone(clock, stopIdleMs, over.signal)
    await haveBeenRead()
  } while (!over.signal.aborted && connections.closeIdle())
  await closed
  for (const timer of timers) clock.clearTimeout(timer)
  server.close() // stops Node's timer that looks for late requests
}

/** Waits until Node has read the bytes that have arrived by now, so that their connections do not count as idle. */
async function haveBeenRead(): Promise<void> {
  for (let turns = 0; turns < 2; turns++) await new Promise(resolve => setImmediate(resolve))
}

/** A clock of a test may not run, so zero time needs no timer. */
async function pauseUnlessNone(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await pause(clock, ms, signal)
}
