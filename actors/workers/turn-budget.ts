/** Limits how long work may block the event loop. Short work waits for a turn that has room for it beside earlier work, so calls that arrive meanwhile wait no
 *  longer than that. Several pieces share a turn if they fit. The work that follows them, such as the commits of their sessions, is then done together.
 *  @module */

/** The longest time that work takes in one turn. */
export const TURN_MS = 5

export class TurnBudget {
  #leftMs = 0
  #next: Promise<void> | null = null

  /** Does the work in a turn that has room for it. The turn is charged with the actual duration if that was longer than `ms`.
   *  @param ms expected duration of the work, less than `TURN_MS` */
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
