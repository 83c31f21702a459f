/** The event streams of one kind that are open: bounded in total and for each owner, so that the holder of one token cannot use all of them. A
 *  comment line every 15 s lets proxies keep them open (spec/decisions#d28); one timer serves all. Work on many streams is done in slices, so that other calls are not delayed.
 *  @module */
import type { Clock, Timer } from '../ports/clock.ts'
import { TooManyStreamsError, UnavailableError } from '../protocol/errors.ts'
import { OpenStream, type StreamTarget } from './open-stream.ts'

/** The error for a call that would begin something new on a server that stops. */
export const STOPPING = 'this server is stopping'
const COMMENT_MS = 15_000
/** The most streams that are looked at before others get their turn. */
const SLICE = 100

export class OpenStreams {
  readonly #clock: Clock
  readonly #max: number
  readonly #maxOfOwner: number
  readonly #open = new Set<OpenStream>()
  /** How many each owner has; nothing is kept of an owner that has none. */
  readonly #countOf = new Map<string, number>()
  readonly #slices: (() => void)[] = []
  #isClosed = false
  #timer: Timer | null = null

  constructor(clock: Clock, max: number, maxOfOwner: number) {
    this.#clock = clock
    this.#max = max
    this.#maxOfOwner = maxOfOwner
  }

  /** How many are open. */
  get count(): number {
    return this.#open.size
  }

  /** @param owner the session or the credential type whose events it has
   *  @param stop called once when it ends
   *  @throws {TooManyStreamsError} past a bound
   *  @throws {UnavailableError} once all were closed */
  open(owner: string, wire: StreamTarget, stop: () => void): OpenStream {
    if (this.#isClosed) throw new UnavailableError(STOPPING)
    if (wire.connection.destroyed) throw new UnavailableError('the client has left') // its event 'close' may have been emitted before
    if (this.#open.size >= this.#max)
      throw new TooManyStreamsError(`event streams: expected at most ${this.#max} at this server, got more`)
    const others = this.#countOf.get(owner) ?? 0
    if (others >= this.#maxOfOwner)
      throw new TooManyStreamsError(
        `event streams: expected at most ${this.#maxOfOwner} of one session, got more`,
      )
    const stream = new OpenStream(owner, wire, () => {
      stop()
      this.#remove(stream)
    })
    this.#open.add(stream)
    this.#countOf.set(owner, others + 1)
    this.#keepTime()
    return stream
  }

  /** One event for every stream of an owner. */
  notify(owner: string, event: string): void {
    const ofOwner = [...this.#open].filter(stream => stream.owner === owner)
    this.#inSlices(ofOwner, stream => stream.send(event))
  }

  /** Ends all streams, and refuses new ones from now on: the server stops. */
  closeAll(): void {
    this.#isClosed = true
    this.#inSlices([...this.#open], stream => stream.end())
  }

  #remove(stream: OpenStream): void {
    const others = (this.#countOf.get(stream.owner) ?? 0) - 1
    if (others === 0) this.#countOf.delete(stream.owner)
    else this.#countOf.set(stream.owner, others)
    this.#open.delete(stream)
    this.#keepTime()
  }

  /** The timer runs while there is a stream. */
  #keepTime(): void {
    if (this.#open.size === 0 && this.#timer !== null) {
      this.#clock.clearTimeout(this.#timer)
      this.#timer = null
    }
    if (this.#open.size > 0 && this.#timer === null)
      this.#timer = this.#clock.setTimeout(() => this.#comment(), COMMENT_MS)
  }

  #comment(): void {
    this.#timer = null
    this.#keepTime()
    this.#inSlices([...this.#open], stream => stream.comment())
  }

  /** Works in the order of the calls of this method, so that every stream has its events in order. */
  #inSlices(left: OpenStream[], work: (stream: OpenStream) => void): void {
    const isIdle = this.#slices.length === 0
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
