/** Accounts in an SQLite file that only this process uses. @module */
import type { AccountId, AccountRow } from '../account-store.ts'
import { RecentRows } from '../recent-rows.ts'
import { SqlAccounts } from '../sql/accounts.ts'
import type { RowChange } from '../store.ts'
import { movedMs } from './owner/kept-times.ts'
import { engineOf, type PartDeps } from './part.ts'
import type { Statements } from './statements.ts'

export class SqliteAccounts extends SqlAccounts {
  readonly #statements: Pick<Statements, 'assertReadable'>
  readonly #recent: RecentRows<AccountRow>

  constructor(deps: PartDeps) {
    super(deps.db, engineOf(deps), movedMs(deps.statements))
    this.#statements = deps.statements
    this.#recent = new RecentRows(() => 0) // these rows are short
  }

  override async load(id: AccountId): Promise<AccountRow | null> {
    const recent = this.#recent.get(id)
    if (recent === null) return super.load(id)
    this.#statements.assertReadable()
    return recent
  }

  /** To be called before a commit. */
  forget(id: AccountId): void {
    this.#recent.forget(id)
  }

  /** To be called after a commit. */
  keep(change: RowChange<AccountRow>): void {
    this.#recent.keep(change)
  }
}
