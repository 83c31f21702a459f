/** One event stream on the wire. It writes directly to the answer, so that a waiting client costs its connection and little
 *  else. @module */
import type { Duplex, Writable } from 'node:stream'

/** An answer of HTTP, or another object that takes bytes in the same way. */
export type ByteSink = Pick<
  Writable,
  'write' | 'end' | 'destroy' | 'destroyed' | 'writableLength' | 'writableNeedDrain'
>

/** Where the bytes go. `connection` closes when the client has left, also while earlier answers on it are pending. */
export type StreamTarget = {
  readonly out: ByteSink
  readonly connection: Pick<Duplex, 'on' | 'off' | 'destroyed'>
}

const COMMENT = ':\n'
/** The most bytes that wait for a client when the next event comes: past it the connection is closed, and the client asks again for the missed events. */
const MAX_UNSENT_BYTES = 2 ** 16

export class OpenStream {
  readonly owner: string
  readonly #wire: StreamTarget
  readonly #over: () => void
  readonly #leave = (): void => {
    if (this.isOver) return
    this.isOver = true
    this.#wire.connection.off('close', this.#leave)
    this.#over()
  }
  #hasBegun = false
  isOver = false

  /** @param owner the session or the credential type whose events it has
   *  @param over called once, when it ends or its client leaves */
  constructor(owner: string, wire: StreamTarget, over: () => void) {
    this.owner = owner
    this.#wire = wire
    this.#over = over
    wire.connection.on('close', this.#leave)
  }

  /** Writes the first text. Until then the caller may still be refused. */
  begin(text: string): void {
    this.#hasBegun = true
    this.#wire.out.write(text)
  }

  /** Sends one event. The connection of a client that does not read is closed. */
  send(text: string): void {
    if (!this.#isWritable()) return
    if (this.#wire.out.writableLength > MAX_UNSENT_BYTES) this.drop()
    else this.#wire.out.write(text)
  }

  /** Sends a comment line, so that proxies do not close an idle stream. It is left out while earlier bytes are unsent, because they serve the same purpose. */
  comment(): void {
    if (this.#isWritable() && !this.#wire.out.writableNeedDrain) this.#wire.out.write(COMMENT)
  }

  /** Ends the stream after all events that were sent. */
  end(): void {
    if (this.#isWritable()) this.#wire.out.end()
    this.#leave()
  }

  /** Closes the connection at once. */
  drop(): void {
    if (this.#isWritable()) this.#wire.out.destroy()
    this.#leave()
  }

  #isWritable(): boolean {
    return this.#hasBegun && !this.isOver && !this.#wire.out.destroyed
  }
}
