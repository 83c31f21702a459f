/** Rows as they were last committed, for whoever is in the midst of their calls: since nobody else writes the file, that is what is stored. @module */
import { LRUCache } from 'lru-cache'
import type { RowChange } from '../store.ts'
import type { Statements } from './statements.ts'

/** The most rows that are kept; all others are read from the file. */
const MAX_ROWS = 1_000
/** The most characters of all texts of the rows that are kept; a row that is longer is read from the file. */
const MAX_CHARACTERS = 64 * 2 ** 20

export class RecentRows<Row extends { readonly id: string }> {
  readonly #statements: Pick<Statements, 'assertReadable'>
  readonly #rows: LRUCache<string, Row>

  /** @param lengthOf characters of the columns that may be long */
  constructor(statements: Pick<Statements, 'assertReadable'>, lengthOf: (row: Row) => number) {
    this.#statements = statements
    this.#rows = new LRUCache({
      max: MAX_ROWS,
      maxSize: MAX_CHARACTERS,
      sizeCalculation: row => lengthOf(row) + 1,
    })
  }

  /** @returns null: it is to be read from the file
   *  @throws {StoreFailure} if the file cannot be read */
  get(id: string): Row | null {
    const row = this.#rows.get(id)
    if (row === undefined) return null
    this.#statements.assertReadable()
    return row
  }

  /** Before a commit: until its outcome is known, the row is read from the file. */
  forget(id: string): void {
    this.#rows.delete(id)
  }

  forgetAll(isForgotten: (row: Row) => boolean): void {
    for (const [id, row] of this.#rows) if (isForgotten(row)) this.#rows.delete(id)
  }

  /** After a commit. */
  keep({ id, row }: RowChange<Row>): void {
    if (row) this.#rows.set(id, row)
  }
}
