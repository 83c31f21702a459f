/** The connections of a listener that stops. Node closes at once what is idle after a request; a connection on which none has come yet it would wait for,
 *  until it is cut. @module */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

export class Connections {
  readonly #server: Server
  readonly #hasTls: boolean
  /** Open ones by their addresses: with TLS there are two sockets for one connection, of which the later one counts. */
  readonly #sockets = new Map<string, Socket>()
  readonly #answers = new Set<ServerResponse<IncomingMessage>>()
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
    const asking = new Set([...this.#answers].map(({ req }) => req.socket))
    for (const socket of this.#sockets.values()) if (!asking.has(socket)) socket.destroy()
  }

  #keep(socket: Socket): void {
    const { localAddress, remoteAddress, remotePort } = socket
    const name = [localAddress, remoteAddress, remotePort].join(' ')
    this.#sockets.set(name, socket)
    socket.once('close', () => this.#sockets.get(name) === socket && this.#sockets.delete(name))
  }

  #note(answer: ServerResponse<IncomingMessage>): void {
    this.#answers.add(answer)
    answer.once('close', () => {
      this.#answers.delete(answer)
      // a stream had promised to keep its connection, which would wait for nothing
      if (this.#isStopping) this.#server.closeIdleConnections()
    })
  }

  /** What belongs to a TLS handshake is nothing. */
  #hasSentNothing(socket: Socket): boolean {
    return socket.bytesRead === 0 || (this.#hasTls && !(socket instanceof TLSSocket))
  }
}
