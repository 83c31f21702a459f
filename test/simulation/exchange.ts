/** One exchange with a server of this process without a socket. Its handler gets a request and a response of Node's own classes, and everything that it writes is passed on
 *  at once. @module */
import { EventEmitter } from 'node:events'
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Request = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The client. */
export type Asker = {
  readonly begin: (status: number) => void
  readonly data: (text: string) => void
  readonly end: () => void
  /** the server broke the connection */
  readonly cut: () => void
}

/** The members that the classes of Node read from a socket. */
class NoSocket extends EventEmitter {
  readonly remoteAddress = '127.0.0.1'
  readonly encrypted = false
  readonly readable = true
  writable = true
  readonly #asker: Asker

  constructor(asker: Asker) {
    super()
    this.#asker = asker
  }

  destroy(): this {
    if (!this.writable) return this
    this.#asker.cut()
    return this.close()
  }

  close(): this {
    this.writable = false
    this.emit('close')
    return this
  }
}

class Response extends ServerResponse {
  readonly #asker: Asker
  #hasBegun = false

  constructor(request: IncomingMessage, asker: Asker) {
    super(request)
    this.#asker = asker
  }

  override writeHead(): this {
    return this
  }

  override write(chunk: unknown): boolean {
    this.#begin()
    if (!this.writableEnded) this.#asker.data(String(chunk))
    return true
  }

  override end(chunk?: unknown): this {
    if (this.writableEnded) return this
    this.#begin()
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) this.#asker.data(String(chunk))
    this.finished = true
    this.#asker.end()
    this.emit('finish')
    this.emit('close')
    return this
  }

  #begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    Object.assign(this, { _header: 'sent' }) // `headersSent` reads it
    this.#asker.begin(this.statusCode)
  }
}

const VERSION = { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 }

/** @returns a function by which the client disconnects */
export function exchange(handler: RequestListener, asked: Request, asker: Asker): () => void {
  const socket = new NoSocket(asker)
  const request = requestOf(asked, socket)
  const response = new Response(request, asker)
  Object.assign(response, { socket })
  handler(request, response)
  return () => {
    if (response.writableEnded) return
    socket.close()
    response.emit('close')
  }
}

function requestOf({ method, path, headers = {}, body }: Request, socket: NoSocket): IncomingMessage {
  const request = new IncomingMessage(socket as unknown as Socket) // no other member is used
  const named: Record<string, string> = { host: 'sessions.example' }
  for (const name in headers) named[name.toLowerCase()] = headers[name] ?? ''
  if (body !== undefined) {
    const bytes = Buffer.from(body)
    named['content-length'] = String(bytes.length)
    request.push(bytes)
  }
  request.push(null)
  return Object.assign(request, { ...VERSION, method, url: path, headers: named, complete: true })
}
