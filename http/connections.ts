/** The connections of a listener that stops. Node closes at once what is idle after a request; a connection on which none has come yet it would wait for,
 *  until it is cut. @module */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'

export class Connections {
  readonly #server: Server
  readonly #hasTls: boolean
  /** Open ones by their addresses: with TLS there are two sockets for one connection, of which the later one counts. */
  readonly #sockets = new Map<string, Socket>()
  /** Requests that have no whole answer yet, by their connections: one behind the other, where a client did not wait. */
  readonly #asking = new Map<Duplex, readonly IncomingMessage[]>()
  #isStopping = false

  constructor(server: Server, hasTls: boolean) {
    this.#server = server
    this.#hasTls = hasTls
    for (const event of ['connection', 'secureConnection'])
      server.on(event, (socket: Socket) => this.#keep(socket))
    for (const event of ['request', 'checkExpectation'])
      server.on(event, (_: IncomingMessage, answer: ServerResponse<IncomingMessage>) => this.#note(answer))
  }

  /** Closes what has sent nothing, and from now on whatever has its answer. */
  stop(): void {
    this.#isStopping = true
    for (const socket of this.#sockets.values()) if (this.#hasSentNothing(socket)) socket.destroy()
  }

  /** Closes whatever still sends the head of a request. */
  closeBeforeRequest(): void {
    for (const socket of this.#sockets.values()) if (!this.#asking.has(socket)) socket.destroy()
  }

  /** Whether a request that has arrived whole is being answered there. */
  isAnswering(socket: Duplex): boolean {
    return this.#asking.get(socket)?.some(({ complete }) => complete) ?? false
  }

  #keep(socket: Socket): void {
    const { localAddress, remoteAddress, remotePort } = socket
    const name = [localAddress, remoteAddress, remotePort].join(' ')
    this.#sockets.set(name, socket)
    socket.setMaxListeners(0) // each call that stands behind another one on it listens for its end
    socket.once('close', () => {
      if (this.#sockets.get(name) === socket) this.#sockets.delete(name)
      this.#asking.delete(socket) // an answer that never had its turn does not say that it closes
    })
  }

  #note(answer: ServerResponse<IncomingMessage>): void {
    const { req } = answer
    const { socket } = req
    this.#asking.set(socket, [...(this.#asking.get(socket) ?? []), req])
    answer.once('close', () => {
      const others = (this.#asking.get(socket) ?? []).filter(each => each !== req)
      if (others.length === 0) this.#asking.delete(socket)
      else this.#asking.set(socket, others)
      // a stream had promised to keep its connection, which would wait for nothing
      if (this.#isStopping) this.#server.closeIdleConnections()
    })
  }

  /** What belongs to a TLS handshake is nothing. */
  #hasSentNothing(socket: Socket): boolean {
    return socket.bytesRead === 0 || (this.#hasTls && !(socket instanceof TLSSocket))
  }
}
