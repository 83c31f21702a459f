/** The number of rows in a store that several nodes share. It is counted only from time to time; in between, the changes of this node are added. A
 *  count in PostgreSQL takes time proportional to the number of rows, and in Redis it is one more call. @module */

/** The maximum age of a count. */
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

  /** Adds the rows of a commit by this node; negative: rows that it deleted. */
  add(rows: number): void {
    if (this.#counted) this.#counted.total += rows
  }

  /** Drops the count, because another store may have taken the place of the old one. */
  forget(): void {
    this.#counted = null
  }
}
