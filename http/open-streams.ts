/** The event streams of one kind that are open: bounded all together and for each session, so that whoever knows one token cannot take all of them. A
 *  comment line every 15 s lets proxies keep them open (D28); one timer serves all. What concerns many streams is done in slices, so that nobody waits. @module */
import { PassThrough } from 'node:stream'
import type { Clock, Timer } from '../actors/clock.ts'
import { Unavailable } from '../protocol/errors.ts'

const MAX_OF_SESSION = 32
const COMMENT = ':\n'
const COMMENT_MS = 15_000
/** The most streams that are looked at before others get their turn. */
const SLICE = 100

export class OpenStreams {
  readonly #clock: Clock
  readonly #max: number
  /** By the session that they are counted for; nothing is kept of one that has none. */
  readonly #ofOwner = new Map<string | null, Set<PassThrough>>()
  #count = 0
  #timer: Timer | null = null

  constructor(clock: Clock, max: number) {
    this.#clock = clock
    this.#max = max
  }

  /** @param owner the session that it is counted for; null: of no session
   *  @param begin registers, and returns how to stop
   *  @throws {Unavailable} past a bound */
  open(owner: string | null, begin: (stream: PassThrough) => () => void): PassThrough {
    if (this.#count >= this.#max) throw new Unavailable('too many open event streams')
    const others = this.#ofOwner.get(owner) ?? new Set()
    if (owner !== null && others.size >= MAX_OF_SESSION)
      throw new Unavailable(`event streams: expected at most ${MAX_OF_SESSION} of one session, got more`)
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

  closeAll(): void {
    this.#inSlices(stream => stream.end())
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
    this.#inSlices(stream => {
      if (!stream.writableEnded && !stream.writableNeedDrain) stream.write(COMMENT)
    })
  }

  #inSlices(work: (stream: PassThrough) => void): void {
    const streams = [...this.#ofOwner.values()].flatMap(ofOne => [...ofOne])
    const slice = (): void => {
      for (const stream of streams.splice(-SLICE)) work(stream)
      if (streams.length > 0) setImmediate(slice)
    }
    slice()
  }
}
