/** The order of messages that wait for a worker thread, one piece of work at a time. The message with the fewest begun pieces comes first: no message starts
 *  its second proof before every waiting message has started its first. Among equals, the message with the fewest pieces in all comes first, because all pieces
 *  of one kind cost about the same. So a message with one card does not wait for many messages with twenty. Among those, the one that arrived first comes
 *  first. No message starves. Once a message waits too long, no session is started or connected (queue.ts), so only sessions that are already connected can
 *  still overtake it. @module */

/** A message, and the number of its begun pieces, which are the first ones. */
export type QueuedMessage<Piece> = {
  readonly pieces: readonly Piece[]
  /** Unix ms */
  readonly arrivedAt: number
  begun: number
}

/** The weight of a begun piece in a rank: more than the pieces of any message. */
const ROUND = 1_024

export class Turns<Piece> {
  /** messages with a piece that has not begun, in the order of arrival */
  readonly #all = new Set<QueuedMessage<Piece>>()
  /** by rank, each in the order of reaching that rank */
  readonly #byRank = new Map<number, Set<QueuedMessage<Piece>>>()

  /** @param pieces at least one */
  add(pieces: readonly Piece[], arrivedAt: number): QueuedMessage<Piece> {
    const line = { pieces, arrivedAt, begun: 0 }
    this.#all.add(line)
    this.#enter(line)
    return line
  }

  /** The message whose next piece begins now: piece number `begun - 1`.
   *  @returns null: no message waits */
  next(): QueuedMessage<Piece> | null {
    const [line] = this.#byRank.get(Math.min(...this.#byRank.keys())) ?? []
    if (line === undefined) return null
    this.#leave(line)
    line.begun += 1
    if (line.begun < line.pieces.length) this.#enter(line)
    else this.#all.delete(line)
    return line
  }

  /** Starts no further piece of that message.
   *  @returns true if it had waiting pieces */
  drop(line: QueuedMessage<Piece>): boolean {
    const wasWaiting = this.#all.delete(line)
    if (wasWaiting) this.#leave(line)
    return wasWaiting
  }

  /** Unix ms of arrival of the message that has waited longest; null: none waits */
  oldestCameAt(): number | null {
    const [oldest] = this.#all
    return oldest?.arrivedAt ?? null
  }

  #enter(line: QueuedMessage<Piece>): void {
    const rank = rankOf(line)
    this.#byRank.set(rank, (this.#byRank.get(rank) ?? new Set()).add(line))
  }

  #leave(line: QueuedMessage<Piece>): void {
    const rank = rankOf(line)
    const equals = this.#byRank.get(rank)
    equals?.delete(line)
    if (equals?.size === 0) this.#byRank.delete(rank)
  }
}

function rankOf({ begun, pieces }: QueuedMessage<unknown>): number {
  return begun * ROUND + Math.min(pieces.length, ROUND - 1)
}
