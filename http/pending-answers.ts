/** The answers that a listener has not sent completely, by connection. A connection carries one answer for each request. @module */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

type Answer = ServerResponse<IncomingMessage>

export class PendingAnswers {
  /** The pending answers of a connection, in the order of its requests. Several are pending if the client pipelines its requests. If the connection closes before an
   *  answer's turn, that answer stays in the list, because it emits no 'close'. */
  readonly #pending = new WeakMap<Duplex, readonly Answer[]>()
  /** The answer to the last request of a connection, also after its end. */
  readonly #last = new WeakMap<Duplex, Answer>()
  /** Callbacks that wait for the answers to whole requests. */
  readonly #waiting = new WeakMap<Duplex, () => void>()

  readonly #ended: () => void

  /** @param ended called after each end of an answer */
  constructor(server: Server, ended: () => void = () => {}) {
    this.#ended = ended
    server.on('request', (_, answer) => this.#note(answer))
  }

  has(socket: Duplex): boolean {
    return this.#pending.has(socket)
  }

  /** True if an answer began before its request had arrived whole, and the request is still incomplete. */
  isEarly(socket: Duplex): boolean {
    const last = this.#last.get(socket)
    return last?.headersSent === true && !last.req.complete
  }

  /** Calls `then` once every whole request on the connection has its answer. It never calls `then` if the connection closes first. */
  afterWhole(socket: Duplex, then: () => void): void {
    if (this.#isWholePending(socket)) this.#waiting.set(socket, then)
    else then()
  }

  #isWholePending(socket: Duplex): boolean {
    return this.#pending.get(socket)?.some(({ req }) => req.complete) ?? false
  }

  #note(answer: Answer): void {
    const { socket } = answer.req
    this.#last.set(socket, answer)
    this.#pending.set(socket, [...(this.#pending.get(socket) ?? []), answer])
    answer.once('close', () => {
      this.#remove(socket, answer)
      this.#ended()
    })
  }

  #remove(socket: Duplex, answer: Answer): void {
    const others = (this.#pending.get(socket) ?? []).filter(each => each !== answer)
    if (others.length > 0) this.#pending.set(socket, others)
    else this.#pending.delete(socket)
    if (socket.destroyed || this.#isWholePending(socket)) return
    this.#waiting.get(socket)?.()
    this.#waiting.delete(socket)
  }
}
