/** One event stream on the wire. It writes to the answer itself, and nothing stands between them: of a client that waits there is its connection, and little
 *  else. @module */
import type { Duplex, Writable } from 'node:stream'

/** An answer of HTTP, or whatever takes bytes as one does. */
export type Out = Pick<
  Writable,
  'write' | 'end' | 'destroy' | 'destroyed' | 'writableLength' | 'writableNeedDrain'
>

/** Where the bytes go. `connection` closes when nobody is there any more, also behind answers to other requests that are to go first. */
export type Wire = { readonly out: Out; readonly connection: Pick<Duplex, 'on' | 'off' | 'destroyed'> }

const COMMENT = ':\n'
/** The most bytes that wait for a client when the next event comes: past it the client is left, and what it has missed it asks for again. */
const MAX_UNSENT_BYTES = 2 ** 16

export class OpenStream {
  readonly owner: string
  readonly #wire: Wire
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
  constructor(owner: string, wire: Wire, over: () => void) {
    this.owner = owner
    this.#wire = wire
    this.#over = over
    wire.connection.on('close', this.#leave)
  }

  /** Nothing is written before this: until then whoever asked may be refused. */
  begin(text: string): void {
    this.#hasBegun = true
    this.#wire.out.write(text)
  }

  /** One event. A client that does not read is left. */
  send(text: string): void {
    if (!this.#isWritable()) return
    if (this.#wire.out.writableLength > MAX_UNSENT_BYTES) this.drop()
    else this.#wire.out.write(text)
  }

  /** Tells proxies that it is still there; what a client has not read yet does so, too. */
  comment(): void {
    if (this.#isWritable() && !this.#wire.out.writableNeedDrain) this.#wire.out.write(COMMENT)
  }

  /** After everything that was sent. */
  end(): void {
    if (this.#isWritable()) this.#wire.out.end()
    this.#leave()
  }

  /** At once. */
  drop(): void {
    if (this.#isWritable()) this.#wire.out.destroy()
    this.#leave()
  }

  #isWritable(): boolean {
    return this.#hasBegun && !this.isOver && !this.#wire.out.destroyed
  }
}
