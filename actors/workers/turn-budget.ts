/** How long work may hold up the event loop: what is short waits for a turn of it in which it has room beside what came before, so that calls that arrive meanwhile wait for no more than
 *  that. Several pieces share a turn where they can, and what follows them, as the commits of their sessions, is done together. @module */

/** The longest time that work takes of one turn. */
export const TURN_MS = 5

export class TurnBudget {
  #leftMs = 0
  #next: Promise<void> | null = null

  /** Does the work in a turn that has room for it. What it took counts there, too, if that was longer than was known.
   *  @param ms that the work is known to take, less than `TURN_MS` */
  async run<Result extends { readonly tookMs: number }>(ms: number, work: () => Result): Promise<Result> {
    do await this.#nextTurn()
    while (this.#leftMs < ms)
    const result = work()
    this.#leftMs -= Math.max(ms, result.tookMs)
    return result
  }

  #nextTurn(): Promise<void> {
    this.#next ??= new Promise(resolve =>
      setImmediate(() => {
        this.#next = null
        this.#leftMs = TURN_MS
        resolve()
      }),
    )
    return this.#next
  }
}
