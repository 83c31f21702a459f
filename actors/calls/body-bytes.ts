/** The bytes of all bodies that this node holds: those that are being read or handled, and those of the claims that it works on. Each body is bounded by
 *  itself, but without a bound on all of them together a few senders could fill the memory of the process (law 5). @module */
import { getHeapStatistics } from 'node:v8'
import { NoRoomForBody } from '../../protocol/errors.ts'

/** A body is held up to four times for a moment: as it arrived, as bytes, as a text and as what was read from it. An eighth leaves the other half of the
 *  memory to everything else, and 32 MiB let several of the longest bodies through in any process. */
export const MOST_BODY_BYTES = Math.max(32 * 2 ** 20, Math.floor(getHeapStatistics().heap_size_limit / 8))
/** The length of a usual body, at most. Longer ones share half of the room, so that whoever sends them leaves the other half to all usual ones. */
const USUAL_BYTES = 2 ** 16

export class BodyBytes {
  readonly #most: number
  #held = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Room for a body that is about to be read.
   *  @returns gives it back
   *  @throws {NoRoomForBody} */
  reserve(bytes: number): () => void {
    const most = bytes > USUAL_BYTES ? this.#most / 2 : this.#most
    if (bytes > 0 && this.#held + bytes > most)
      throw new NoRoomForBody('too many bytes of other bodies are being read or wait')
    return this.hold(bytes)
  }

  /** Counts a body that was let in before.
   *  @returns ends that */
  hold(bytes: number): () => void {
    let left = bytes
    this.#held += bytes
    return () => {
      this.#held -= left
      left = 0
    }
  }
}
