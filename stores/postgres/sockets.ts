/** The sockets of connections to a database. They are destroyed here if the server no longer answers, because the driver would send a Terminate
 *  message and wait for the answer. @module */
import { Socket } from 'node:net'

export class Sockets {
  readonly #open = new Set<Socket>()

  /** For the driver: makes the socket of a new connection. */
  readonly create = (): Socket => {
    const socket = new Socket()
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    return socket
  }

  /** Closes all sockets; the calls on them fail. */
  destroyAll(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
