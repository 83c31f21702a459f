/** The event streams of one kind that are open: bounded all together and for each owner, so that whoever knows one token cannot take all of them. A
 *  comment line every 15 s lets proxies keep them open (D28); one timer serves all. What concerns many streams is done in slices, so that nobody waits. @module */
import type { Clock, Timer } from '../ports/clock.ts'
import { Unavailable } from '../protocol/errors.ts'
import { OpenStream, type Wire } from './open-stream.ts'

/** The error for a call that would begin something new on a server that stops. */
export const STOPPING = 'this server is stopping'
const COMMENT_MS = 15_000
/** The most streams that are looked at before others get their turn. */
const SLICE = 100

export class OpenStreams {
  readonly #clock: Clock
  readonly #max: number
  readonly #maxOfOwner: number
  /** Nothing is kept of an owner that has none. */
  readonly #ofOwner = new Map<string, Set<OpenStream>>()
  readonly #slices: (() => void)[] = []
  #count = 0
  #isClosed = false
  #timer: Timer | null = null

  constructor(clock: Clock, max: number, maxOfOwner: number) {
    this.#clock = clock
    this.#max = max
    this.#maxOfOwner = maxOfOwner
  }

  /** How many are open. */
  get count(): number {
    return this.#count
  }

  /** @param owner the session or the credential type whose events it has
   *  @param stop called once when it is over
   *  @throws {Unavailable} past a bound, and once all were closed */
  open(owner: string, wire: Wire, stop: () => void): OpenStream {
    if (this.#isClosed) throw new Unavailable(STOPPING)
    if (wire.connection.destroyed) throw new Unavailable('the client has left') // it would not say so again
    if (this.#count >= this.#max) throw new Unavailable('too many open event streams')
    const others = this.#ofOwner.get(owner) ?? new Set()
    if (others.size >= this.#maxOfOwner)
      throw new Unavailable(`event streams: expected at most ${this.#maxOfOwner} of one session, got more`)
    const stream = new OpenStream(wire, () => {
      stop()
      this.#remove(owner, stream)
    })
    this.#ofOwner.set(owner, others.add(stream))
    this.#count += 1
    this.#keepTime()
    return stream
  }

  /** One event for every stream of an owner. */
  tell(owner: string, event: string): void {
    this.#inSlices(this.#ofOwner.get(owner) ?? [], stream => stream.send(event))
  }

  /** For good: the server stops. */
  closeAll(): void {
    this.#isClosed = true
    this.#inSlices(this.#all(), stream => stream.end())
  }

  #remove(owner: string, stream: OpenStream): void {
    const ofOne = this.#ofOwner.get(owner)
    ofOne?.delete(stream)
    if (ofOne?.size === 0) this.#ofOwner.delete(owner)
    this.#count -= 1
    this.#keepTime()
  }

  #all(): readonly OpenStream[] {
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

  #comment(): void {
    this.#timer = null
    this.#keepTime()
    this.#inSlices(this.#all(), stream => stream.comment())
  }

  /** What was asked for first is done first, so that every stream has its events in their order. */
  #inSlices(streams: Iterable<OpenStream>, work: (stream: OpenStream) => void): void {
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
