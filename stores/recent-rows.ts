/** Rows as this process last committed or read them, for whoever is in the midst of their calls: what is stored where nobody else writes the store, and elsewhere
 *  what was. @module */
import { LRUCache } from 'lru-cache'
import type { RowChange } from './store.ts'

/** The most rows that are kept; all others are read from the store. */
const MAX_ROWS = 1_000
/** The most characters of all texts of the rows that are kept; a row that is longer is read from the store. */
const MAX_CHARACTERS = 64 * 2 ** 20

export class RecentRows<Row extends { readonly id: string; readonly version: number }> {
  readonly #rows: LRUCache<string, Row>

  /** @param lengthOf characters of the columns that may be long */
  constructor(lengthOf: (row: Row) => number) {
    this.#rows = new LRUCache({
      max: MAX_ROWS,
      maxSize: MAX_CHARACTERS,
      sizeCalculation: row => lengthOf(row) + 1,
    })
  }

  /** @returns null: it is to be read from the store */
  get(id: string): Row | null {
    return this.#rows.get(id) ?? null
  }

  /** Before a commit: until its outcome is known, the row is read from the store. */
  forget(id: string): void {
    this.#rows.delete(id)
  }

  /** Another node has given the row that version: an older one is not stored any more. */
  forgetBefore(id: string, version: number): void {
    const known = this.#rows.get(id)
    if (known && known.version < version) this.#rows.delete(id)
  }

  forgetAll(isForgotten: (row: Row) => boolean): void {
    for (const [id, row] of this.#rows) if (isForgotten(row)) this.#rows.delete(id)
  }

  /** What was read may be older than what was committed meanwhile. */
  keepNewer(row: Row): void {
    const known = this.#rows.get(row.id)
    if (!known || known.version <= row.version) this.#rows.set(row.id, row)
  }

  /** After a commit. */
  keep({ id, row }: Pick<RowChange<Row>, 'id' | 'row'>): void {
    if (row) this.#rows.set(id, row)
  }
}
