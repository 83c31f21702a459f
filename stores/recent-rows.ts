/** A cache of rows as this process last committed or read them. If other processes write the store too, a cached row may be outdated. @module */
import { LRUCache } from 'lru-cache'
import type { RowChange } from './store.ts'

/** The maximum number of rows; other rows are read from the store. */
const MAX_ROWS = 1_000
/** The maximum number of characters in the texts of all rows. A longer row is read from the store. */
const MAX_CHARACTERS = 64 * 2 ** 20

export class RecentRows<Row extends { readonly id: string; readonly version: number }> {
  readonly #rows: LRUCache<string, Row>

  /** @param lengthOf number of characters in the columns that may be long */
  constructor(lengthOf: (row: Row) => number) {
    this.#rows = new LRUCache({
      max: MAX_ROWS,
      maxSize: MAX_CHARACTERS,
      sizeCalculation: row => lengthOf(row) + 1,
    })
  }

  /** @returns null: the row must be read from the store */
  get(id: string): Row | null {
    return this.#rows.get(id) ?? null
  }

  /** To be called before a commit: until its outcome is known, the row is read from the store. */
  forget(id: string): void {
    this.#rows.delete(id)
  }

  /** Drops the row if another node has committed a newer version. */
  forgetBefore(id: string, version: number): void {
    const known = this.#rows.get(id)
    if (known && known.version < version) this.#rows.delete(id)
  }

  forgetAll(isForgotten: (row: Row) => boolean): void {
    for (const [id, row] of this.#rows) if (isForgotten(row)) this.#rows.delete(id)
  }

  /** Keeps the newer version, because a row that was read may be older than a commit in between. */
  keepNewer(row: Row): void {
    const known = this.#rows.get(row.id)
    if (!known || known.version <= row.version) this.#rows.set(row.id, row)
  }

  /** To be called after a commit. */
  keep({ id, row }: Pick<RowChange<Row>, 'id' | 'row'>): void {
    if (row) this.#rows.set(id, row)
  }
}
