/** The number of rows of a store that several nodes share. It is counted anew after a while only, and meanwhile by what this node adds and deletes: whoever counts
 *  rows of PostgreSQL waits as long as there are rows, and each count of Redis is a call. @module */

/** The longest time for which rows are counted by what this node has committed. */
const COUNTED_MS = 10_000

export class KeptCount {
  readonly #now: () => number
  readonly #count: () => Promise<number>
  #counted: { total: number; readonly at: number } | null = null

  /** @param count asks the store */
  constructor(now: () => number, count: () => Promise<number>) {
    this.#now = now
    this.#count = count
  }

  async total(): Promise<number> {
    const at = this.#now()
    if (this.#counted === null || at >= this.#counted.at + COUNTED_MS)
      this.#counted = { total: await this.#count(), at }
    return this.#counted.total
  }

  /** A commit of this node has added so many rows; negative: it has deleted some. */
  add(rows: number): void {
    if (this.#counted) this.#counted.total += rows
  }

  /** The store may be another one than before. */
  forget(): void {
    this.#counted = null
  }
}
