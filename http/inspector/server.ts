/** The inspector's listener (docs/inspector.md). It serves the files of its page, which are the same on every server and need no token, and two WebSockets, which
 *  need one. It listens only on loopback addresses, and changes nothing in the inspected actors. @module */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { type WebSocket, WebSocketServer } from 'ws'
import { closeListener, listen, smallListener } from '../listen.ts'
import { calledHost, FOREIGN, isLoopback, type Refusal, refusalOf } from './admission.ts'
import { Connection, ENDING_MS, type Feed } from './connection.ts'
import { type FeedDeps, PageFeed } from './page-feed.ts'
import { type PageFile, readPageFiles } from './page-files.ts'
import { MAX_FRAME_BYTES } from './page-messages.ts'
import { StatelyFeed } from './stately-feed.ts'

/** The most concurrent viewers. */
const MAX_VIEWERS = 8
/** The most connections of viewers and for files together. All viewers of one address and the six connections of a browser fit. */
const MAX_CONNECTIONS = { inAll: 64, ofAddress: 16 }

const SOCKETS = {
  noServer: true,
  maxPayload: MAX_FRAME_BYTES,
  perMessageDeflate: false,
  closeTimeout: ENDING_MS, // missing in the types of the package; its default is 30 s
}

/** Each feed by its path. */
const FEEDS: Readonly<
  Record<string, new (deps: FeedDeps, send: (message: object) => void) => Feed & { begin(): Promise<void> }>
> = { '/page': PageFeed, '/stately': StatelyFeed }

export type InspectorDeps = FeedDeps & {
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** the token that a viewer must send, secret */
  readonly token: string
}

export type InspectorServer = {
  /** @param port 0: any free one
   *  @throws {RangeError} for an address that other machines can reach
   *  @throws the error of the system if it cannot listen on the address */
  listen(port: number, host?: string): Promise<AddressInfo>
  /** Closes the connections of the viewers, then the listener. */
  close(): Promise<void>
}

export function createInspectorServer(deps: InspectorDeps): InspectorServer {
  const files = readPageFiles()
  const whyNot = (req: IncomingMessage): Refusal | null =>
    connections.size < MAX_VIEWERS ? refusalOf(req, Object.keys(FEEDS), deps.token) : FULL
  const answer = (req: IncomingMessage, res: ServerResponse): void =>
    pathOf(req) in FEEDS ? answerWhyNot(req, res, whyNot(req)) : answerFile(req, res, files)
  const server = smallListener(deps.clock, MAX_CONNECTIONS, answer, true)
  const connections = new Map<WebSocket, Connection>()
  const sockets = new WebSocketServer(SOCKETS)
  server.on('upgrade', (req, socket, head) => {
    const refusal = whyNot(req)
    if (refusal) return refuse(socket, refusal, deps.log)
    sockets.handleUpgrade(req, socket, head, ws => {
      connections.set(ws, open(ws, pathOf(req), deps))
      ws.once('close', () => connections.delete(ws))
    })
  })
  return {
    async listen(port, host = '127.0.0.1') {
      if (!isLoopback(host))
        throw new RangeError(`inspector: expected a loopback address, got ${JSON.stringify(host)}`)
      return listen(server, port, host)
    },
    close: () => close(server, connections),
  }
}

const FULL: Refusal = [503, `viewers: expected at most ${MAX_VIEWERS} at once, got more`]

const TEXT = 'text/plain; charset=utf-8'
const NO_FILE = [404, 'path: expected the path of a file of the page, got another'] as const
const NOT_READ = [405, 'method: expected GET or HEAD, got another'] as const

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/'
}

function open(ws: WebSocket, path: string, deps: InspectorDeps): Connection {
  const report = (err: unknown): void => deps.log.warn({ err }, 'the inspector could not answer a viewer')
  const connection = new Connection(ws, deps.clock, report)
  const MakeFeed = FEEDS[path] ?? PageFeed
  const feed = new MakeFeed(deps, message => connection.send(message))
  connection.serve(feed, feed.begin())
  deps.log.info({ feed: path }, 'the inspector has a viewer')
  return connection
}

/** Sends the reason to the viewer, and logs it. */
function refuse(socket: Duplex, [status, words]: Refusal, log: Pick<Logger, 'warn'>): void {
  log.warn({ status }, `the inspector refused a viewer: ${words}`)
  socket.on('error', () => {}) // the client has disconnected
  const body = `${words}\n`
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.once('finish', () => socket.destroy()) // a client that keeps its half of the connection open would block the shutdown forever
  socket.end([...head, '', body].join('\r\n'))
}

/** The page may load nothing from other origins. It may open the hosted inspector in another window, which keeps its reference to the page. */
function headersOf(host: string): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ws://${host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  }
}

/** Answers a plain call to the path of a WebSocket with the reason of a refusal. A browser hides that reason from its page, so the page makes this call. */
function answerWhyNot(req: IncomingMessage, res: ServerResponse, refusal: Refusal | null): void {
  req.resume()
  const [status, words] = refusal ?? [426, 'Upgrade: expected websocket, got none']
  res.writeHead(status, {
    ...headersOf(calledHost(req) ?? ''),
    'Content-Type': TEXT,
    'Content-Length': Buffer.byteLength(words),
    ...(status === 426 && { Upgrade: 'websocket' }),
  })
  res.end(req.method === 'HEAD' ? undefined : words)
}

function answerFile(req: IncomingMessage, res: ServerResponse, files: ReadonlyMap<string, PageFile>): void {
  req.resume()
  const file = files.get(pathOf(req))
  const refusal = fileRefusalOf(req, file)
  const [status, words] = refusal ?? [200, '']
  const { type, bytes } = refusal || !file ? { type: TEXT, bytes: Buffer.from(`${words}\n`) } : file
  res.writeHead(status, {
    ...headersOf(calledHost(req) ?? ''),
    'Content-Type': type,
    'Content-Length': bytes.length,
    ...(status === 405 && { Allow: 'GET, HEAD' }),
  })
  res.end(req.method === 'HEAD' ? undefined : bytes)
}

/** @returns null: the file is sent */
function fileRefusalOf(req: IncomingMessage, file: PageFile | undefined) {
  if (calledHost(req) === null) return FOREIGN
  if (file === undefined) return NO_FILE
  return req.method === 'GET' || req.method === 'HEAD' ? null : NOT_READ
}

/** A viewer that does not answer cannot block this: its connection limits the time. */
async function close(server: Server, connections: ReadonlyMap<WebSocket, Connection>): Promise<void> {
  const ended = [...connections].map(([ws, connection]) => {
    connection.close()
    return new Promise<void>(resolve => ws.once('close', () => resolve()))
  })
  await Promise.all([...ended, closeListener(server)])
}
