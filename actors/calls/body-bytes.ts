/** The bytes of all bodies that this node holds: those being read or handled, and those of the claims that it works on. Each body has its own bound. Without a
 *  bound on all of them together, a few senders could fill the memory of the process (spec/laws#5). @module */
import { getHeapStatistics } from 'node:v8'
import { NoRoomForBodyError } from '../../protocol/errors.ts'

/** A body is in memory up to four times for a moment: as received, as bytes, as text and as parsed. With an eighth of the memory for bodies, the other half
 *  remains for everything else. 32 MiB let several of the longest bodies through in any process. */
export const MOST_BODY_BYTES = Math.max(32 * 2 ** 20, Math.floor(getHeapStatistics().heap_size_limit / 8))
/** The longest usual body. Longer bodies share half of the room, so their senders leave the other half to all usual ones. */
const USUAL_BYTES = 2 ** 16

export class BodyBytes {
  readonly #most: number
  #held = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Reserves room for a body that is about to be read.
   *  @returns releases the room
   *  @throws {NoRoomForBodyError} */
  reserve(bytes: number): () => void {
    const most = bytes > USUAL_BYTES ? this.#most / 2 : this.#most
    if (bytes > 0 && this.#held + bytes > most)
      throw new NoRoomForBodyError('too many bytes of other bodies are being read or wait')
    return this.hold(bytes)
  }

  /** Counts a body that was accepted before.
   *  @returns stops counting it */
  hold(bytes: number): () => void {
    let left = bytes
    this.#held += bytes
    return () => {
      this.#held -= left
      left = 0
    }
  }
}
