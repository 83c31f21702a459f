/** Accounts in an SQLite file that this process has for itself. @module */
import type { AccountId, AccountRow } from '../account-store.ts'
import { SqlAccounts } from '../sql/accounts.ts'
import type { RowChange } from '../store.ts'
import { engineOf, type PartDeps } from './part.ts'
import { RecentRows } from './recent-rows.ts'

export class SqliteAccounts extends SqlAccounts {
  readonly #recent: RecentRows<AccountRow>

  constructor(deps: PartDeps) {
    super(deps.db, engineOf(deps))
    this.#recent = new RecentRows(deps.statements, () => 0) // none is long
  }

  override async load(id: AccountId): Promise<AccountRow | null> {
    return this.#recent.get(id) ?? super.load(id)
  }

  /** Before a commit. */
  forget(id: AccountId): void {
    this.#recent.forget(id)
  }

  /** After a commit. */
  keep(change: RowChange<AccountRow>): void {
    this.#recent.keep(change)
  }
}
