/** The connections of a listener that stops: which of them are closed, and when. Node closes a connection at once if it is idle after a request, though the
 *  next request may be on its way. It waits for a connection on which no request has begun. @module */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { PendingAnswers } from './pending-answers.ts'

/** A connection without a request, as it was seen at one moment. */
type Seen = { readonly socket: Socket; readonly bytes: number }

export class Connections {
  readonly answers: PendingAnswers
  readonly #server: Server
  readonly #hasTls: boolean
  /** The open sockets by their addresses. A connection with TLS has two sockets, and the later one is kept. */
  readonly #sockets = new Map<string, Socket>()
  /** The connections that had sent no request at the last look, by their addresses. */
  #silent = new Map<string, Seen>()
  #closesIdle = false
  /** how many connections were accepted so far */
  taken = 0

  constructor(server: Server, hasTls: boolean) {
    // the head of an event stream said "keep-alive", so its connection stays open after the stream until it is closed here
    this.answers = new PendingAnswers(server, () => this.#closesIdle && server.closeIdleConnections())
    this.#server = server
    this.#hasTls = hasTls
    server.on('connection', () => (this.taken += 1))
    for (const event of ['connection', 'secureConnection'])
      server.on(event, (socket: Socket) => this.#keep(socket))
  }

  /** Begins the time after which `closeIdle` closes the connections that have sent nothing. */
  watchSilent(): void {
    this.#silent = this.#seenNow()
  }

  /** Closes idle connections, and from now on every other connection at the end of its last answer. A connection whose TLS handshake continues is left open for
   *  the next call of this method.
   *  @returns whether another call is needed */
  closeIdle(): boolean {
    this.#closesIdle = true
    this.#server.closeIdleConnections()
    const now = this.#seenNow()
    for (const [name, { socket, bytes }] of now) {
      const before = this.#silent.get(name)
      if (before?.socket !== socket || before.bytes !== bytes) continue
      socket.destroy()
      now.delete(name)
    }
    this.#silent = now
    return now.size > 0
  }

  /** Ends each connection on which no whole head of a request has arrived.
   *  @param refuse answers a request that has begun, and ends its connection */
  closeBeforeRequest(refuse: (socket: Socket) => void): void {
    for (const socket of this.#sockets.values()) {
      if (this.answers.has(socket)) continue
      if (this.#hasSentNothing(socket)) socket.destroy()
      else refuse(socket)
    }
  }

  #keep(socket: Socket): void {
    const { localAddress, remoteAddress, remotePort } = socket
    const name = [localAddress, remoteAddress, remotePort].join(' ')
    this.#sockets.set(name, socket)
    socket.setMaxListeners(0) // each pipelined call on the socket listens for its end
    socket.once('close', () => {
      if (this.#sockets.get(name) === socket) this.#sockets.delete(name)
    })
  }

  #seenNow(): Map<string, Seen> {
    const silent = [...this.#sockets].filter(([, socket]) => this.#hasSentNothing(socket))
    return new Map(silent.map(([name, socket]) => [name, { socket, bytes: socket.bytesRead }]))
  }

  /** The bytes of a TLS handshake do not count. */
  #hasSentNothing(socket: Socket): boolean {
    return socket.bytesRead === 0 || (this.#hasTls && !(socket instanceof TLSSocket))
  }
}
