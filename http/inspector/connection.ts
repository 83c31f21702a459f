/** The WebSocket of one viewer: its unsent messages and its own messages are bounded. @module */
import type { WebSocket } from 'ws'
import type { Clock, Timer } from '../../ports/clock.ts'
import { ShapeError } from '../../protocol/shape.ts'
import { Pace } from './pace.ts'

/** The most that waits for a viewer who does not read. */
const MAX_UNREAD_BYTES = 4 * 2 ** 20
/** The most messages of a viewer in a second. */
const MAX_MESSAGES = 20
/** The longest time that a viewer has to confirm the end of its connection, and to close its half. */
export const ENDING_MS = 1_000
/** How often a viewer is asked whether it is still there, and how long it has to answer: a computer that sleeps behind a tunnel keeps its connection. */
const SIGN_OF_LIFE_MS = 30_000

/** Reasons for which the server ends a connection, by their codes (RFC 6455, 7.4.1). */
const STOPPING = [1001, 'this server is stopping'] as const
const MISTAKEN = [1007, 'expected a message of the inspector, got something else'] as const
const TOO_MANY = [1008, `expected at most ${MAX_MESSAGES} messages in a second, got more`] as const
const FAILED = [1011, 'this server could not answer'] as const
const TOO_SLOW = [1013, 'expected a viewer that reads, got one that is too slow'] as const

/** The messages to a viewer, and the handling of the messages from it. */
export type Feed = {
  /** @throws {ShapeError} if it is no message of a viewer */
  receive(text: string): Promise<void>
  stop(): void
}

export class Connection {
  readonly #socket: WebSocket
  readonly #clock: Clock
  readonly #pace: Pace
  readonly #report: (error: unknown) => void
  #feed: Feed | null = null
  #isEnding = false
  #nextSign: Timer

  /** @param report receives the error that prevented an answer, for a log */
  constructor(socket: WebSocket, clock: Clock, report: (error: unknown) => void) {
    this.#socket = socket
    this.#report = report
    this.#clock = clock
    this.#pace = new Pace(clock, MAX_MESSAGES)
    this.#nextSign = this.#askLater()
    socket.on('message', (data, isBinary) => this.#heard(isBinary ? null : String(data)))
    socket.on('pong', () => {
      clock.clearTimeout(this.#nextSign)
      this.#nextSign = this.#askLater()
    })
    socket.once('close', () => this.#stop())
    socket.on('error', () => {}) // for a frame that is too long or broken, the library itself ends the connection with the reason
  }

  /** @param begin sends the first messages */
  serve(feed: Feed, begin: Promise<void>): void {
    this.#feed = feed
    begin.catch(error => this.#failed(error))
  }

  send(message: object): void {
    if (this.#isEnding) return
    if (this.#socket.bufferedAmount > MAX_UNREAD_BYTES) this.#end(TOO_SLOW)
    else this.#socket.send(JSON.stringify(message))
  }

  /** The server stops. */
  close(): void {
    this.#end(STOPPING)
  }

  #askLater(): Timer {
    return this.#clock.setTimeout(() => {
      this.#nextSign = this.#clock.setTimeout(() => this.#socket.terminate(), SIGN_OF_LIFE_MS)
      this.#socket.ping()
    }, SIGN_OF_LIFE_MS)
  }

  #heard(text: string | null): void {
    if (this.#isEnding) return
    if (text === null) this.#end(MISTAKEN)
    else if (!this.#pace.take()) this.#end(TOO_MANY)
    else this.#feed?.receive(text).catch(error => this.#failed(error))
  }

  #failed(error: unknown): void {
    const isMistake = error instanceof ShapeError
    if (!isMistake) this.#report(error)
    this.#end(isMistake ? MISTAKEN : FAILED)
  }

  #end([code, reason]: readonly [number, string]): void {
    if (this.#isEnding) return
    this.#isEnding = true
    this.#feed?.stop()
    this.#socket.close(code, reason)
    const late = this.#clock.setTimeout(() => this.#socket.terminate(), ENDING_MS)
    this.#socket.once('close', () => this.#clock.clearTimeout(late))
  }

  #stop(): void {
    this.#isEnding = true
    this.#clock.clearTimeout(this.#nextSign)
    this.#pace.stop()
    this.#feed?.stop()
  }
}
