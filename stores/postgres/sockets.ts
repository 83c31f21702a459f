/** The sockets of connections to a database: one on which nobody answers any more is closed here, since the driver says goodbye first, and waits for an answer to
 *  that. @module */
import { Socket } from 'node:net'

export class Sockets {
  readonly #open = new Set<Socket>()

  /** For the driver: the socket of a connection that it is about to make. */
  readonly create = (): Socket => {
    const socket = new Socket()
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    return socket
  }

  /** Whatever was asked for on them fails. */
  destroyAll(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
