/** Whose turn it is among messages that wait for a worker thread, one piece of work at a time. First comes the message of which fewest pieces are
 *  begun: no message has its second proof begun before every waiting message has had its first, whichever arrived before. Among those the one with fewest
 *  pieces in all comes first, since all pieces of one kind cost about the same: who shows one card does not wait for a crowd that shows twenty. Then the
 *  one that arrived first. Nobody starves of that order: once a message waits for too long no session is started or connected (queue.ts), so that only
 *  those which are connected already can still come before it. @module */

/** A message, and how many of its pieces are begun: those before the others. */
export type Line<Piece> = {
  readonly pieces: readonly Piece[]
  /** Unix ms */
  readonly arrivedAt: number
  begun: number
}

/** The weight of a begun piece in a rank: more than any message has pieces. */
const ROUND = 1_024

export class Turns<Piece> {
  /** messages that have a piece to begin, in the order in which they arrived */
  readonly #all = new Set<Line<Piece>>()
  /** by rank, each in the order in which they reached that rank */
  readonly #byRank = new Map<number, Set<Line<Piece>>>()

  /** @param pieces at least one */
  add(pieces: readonly Piece[], arrivedAt: number): Line<Piece> {
    const line = { pieces, arrivedAt, begun: 0 }
    this.#all.add(line)
    this.#enter(line)
    return line
  }

  /** The message whose next piece is begun now, piece number `begun - 1`.
   *  @returns null: nothing waits */
  next(): Line<Piece> | null {
    const [line] = this.#byRank.get(Math.min(...this.#byRank.keys())) ?? []
    if (line === undefined) return null
    this.#leave(line)
    line.begun += 1
    if (line.begun < line.pieces.length) this.#enter(line)
    else this.#all.delete(line)
    return line
  }

  /** Nothing more of that message is begun.
   *  @returns whether something of it was waiting */
  drop(line: Line<Piece>): boolean {
    const wasWaiting = this.#all.delete(line)
    if (wasWaiting) this.#leave(line)
    return wasWaiting
  }

  /** Unix ms at which the message arrived that waits longest; null: none waits */
  oldestCameAt(): number | null {
    const [oldest] = this.#all
    return oldest?.arrivedAt ?? null
  }

  #enter(line: Line<Piece>): void {
    const rank = rankOf(line)
    this.#byRank.set(rank, (this.#byRank.get(rank) ?? new Set()).add(line))
  }

  #leave(line: Line<Piece>): void {
    const rank = rankOf(line)
    const equals = this.#byRank.get(rank)
    equals?.delete(line)
    if (equals?.size === 0) this.#byRank.delete(rank)
  }
}

function rankOf({ begun, pieces }: Line<unknown>): number {
  return begun * ROUND + Math.min(pieces.length, ROUND - 1)
}
