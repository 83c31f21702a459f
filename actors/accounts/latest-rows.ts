/** The latest state of accounts that this node has seen. A row that was put back as a whole is valid by itself: only this memory shows that it is old. @module */
import type { LRUCache } from 'lru-cache'
import { RecordError } from '../../accounts/record-error.ts'
import { recentEntries } from '../../ports/recent-entries.ts'
import type { AccountId, AccountRow } from '../../stores/account-store.ts'
import { isBound } from './records-of-rows.ts'

/** The most accounts: those that were used last. */
const MAX_KEPT = 100_000

type Latest = { readonly version: number; readonly isBound: boolean }

export class LatestRows {
  readonly #kept: LRUCache<AccountId, Latest>

  constructor(maxKept = MAX_KEPT) {
    this.#kept = recentEntries(maxKept)
  }

  /** Reads a row that may not be older than the state that was known before the reading.
   *  @throws {RecordError} if it is older, or if its record is no longer bound to it */
  async read(id: AccountId, load: () => Promise<AccountRow | null>): Promise<AccountRow | null> {
    const known = this.#kept.get(id)
    const row = await load()
    if (row === null) return null
    if (known && row.version < known.version)
      throw new RecordError(
        `account ${id}: expected version ${known.version} or later, got ${row.version}: an older row was put back; after restoring a backup, restart the server`,
      )
    if (known?.isBound && row.record !== null && row.chart !== null && !isBound(row))
      throw new RecordError(
        `account ${id}: expected a record that is bound to its row, got one of the older form`,
      )
    this.note(row)
    return row
  }

  /** To be called with each row that was committed. */
  note(row: AccountRow): void {
    const known = this.#kept.get(row.id)
    if (known && known.version > row.version) return
    this.#kept.set(row.id, { version: row.version, isBound: isBound(row) || (known?.isBound ?? false) })
  }
}
