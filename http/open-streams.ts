/** The event streams of one kind that are open: bounded all together and for each owner, so that whoever knows one token cannot take all of them. A
 *  comment line every 15 s lets proxies keep them open (D28); one timer serves all. What concerns many streams is done in slices, so that nobody waits. @module */
import { PassThrough } from 'node:stream'
import type { Clock, Timer } from '../ports/clock.ts'
import { Unavailable } from '../protocol/errors.ts'

/** The error for a call that would begin something new on a server that stops. */
export const STOPPING = 'this server is stopping'
const COMMENT = ':\n'
const COMMENT_MS = 15_000
/** The most streams that are looked at before others get their turn. */
const SLICE = 100
/** The most that waits for a client before the next event, which it is then not sent. */
const MAX_UNREAD_BYTES = 2 ** 18

export class OpenStreams {
  readonly #clock: Clock
  readonly #max: number
  readonly #maxOfOwner: number
  /** Nothing is kept of an owner that has none. */
  readonly #ofOwner = new Map<string, Set<PassThrough>>()
  readonly #slices: (() => void)[] = []
  #count = 0
  #isClosed = false
  #timer: Timer | null = null

  constructor(clock: Clock, max: number, maxOfOwner: number) {
    this.#clock = clock
    this.#max = max
    this.#maxOfOwner = maxOfOwner
  }

  /** @param owner the session or the credential type whose events it has
   *  @param begin registers, and returns how to stop
   *  @throws {Unavailable} past a bound, and once all were closed */
  open(owner: string, begin: (stream: PassThrough) => () => void): PassThrough {
    if (this.#isClosed) throw new Unavailable(STOPPING)
    if (this.#count >= this.#max) throw new Unavailable('too many open event streams')
    const others = this.#ofOwner.get(owner) ?? new Set()
    if (others.size >= this.#maxOfOwner)
      throw new Unavailable(`event streams: expected at most ${this.#maxOfOwner} of one session, got more`)
    const stream = new PassThrough()
    const stop = begin(stream)
    this.#ofOwner.set(owner, others.add(stream))
    this.#count += 1
    this.#keepTime()
    stream.once('close', () => {
      stop()
      others.delete(stream)
      if (others.size === 0) this.#ofOwner.delete(owner)
      this.#count -= 1
      this.#keepTime()
    })
    return stream
  }

  /** One event for every stream of an owner. A client that does not read is left: what it has missed it asks for again. */
  tell(owner: string, event: string): void {
    this.#inSlices(this.#ofOwner.get(owner) ?? [], stream => {
      if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy()
      else if (stream.writable) stream.write(event)
    })
  }

  /** For good: the server stops. */
  closeAll(): void {
    this.#isClosed = true
    this.#inSlices(this.#all(), stream => stream.end())
  }

  #all(): readonly PassThrough[] {
    return [...this.#ofOwner.values()].flatMap(ofOne => [...ofOne])
  }

  /** The timer runs while there is a stream. */
  #keepTime(): void {
    if (this.#ofOwner.size === 0 && this.#timer !== null) {
      this.#clock.clearTimeout(this.#timer)
      this.#timer = null
    }
    if (this.#ofOwner.size > 0 && this.#timer === null)
      this.#timer = this.#clock.setTimeout(() => this.#comment(), COMMENT_MS)
  }

  /** What a client has not read yet keeps its connection busy enough. */
  #comment(): void {
    this.#timer = null
    this.#keepTime()
    this.#inSlices(this.#all(), stream => {
      if (stream.writable && !stream.writableNeedDrain) stream.write(COMMENT)
    })
  }

  /** What was asked for first is done first, so that every stream has its events in their order. */
  #inSlices(streams: Iterable<PassThrough>, work: (stream: PassThrough) => void): void {
    const isIdle = this.#slices.length === 0
    const left = [...streams]
    while (left.length > 0) {
      const slice = left.splice(-SLICE)
      this.#slices.push(() => slice.forEach(work))
    }
    if (isIdle) this.#nextSlice()
  }

  #nextSlice(): void {
    this.#slices[0]?.()
    this.#slices.shift()
    if (this.#slices.length > 0) setImmediate(() => this.#nextSlice())
  }
}
