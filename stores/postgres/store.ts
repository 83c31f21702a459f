/** A store of accounts in one PostgreSQL database, for as many nodes as there are. @module */
import { SqlAccounts } from '../sql/accounts.ts'
import { SqlDeliveries } from '../sql/deliveries.ts'
import type { Engine, Write } from '../sql/engine.ts'
import type { AccountsStore, Commit, CommitListener } from '../store.ts'
import { type Change, notify } from './changes.ts'
import type { Database, Statements } from './database.ts'
import type { PostgresNodes } from './nodes.ts'

export type PostgresStoreDeps = {
  readonly database: Database
  readonly nodes: PostgresNodes
  readonly bootId: string
  /** lets go of what was opened, then closes the database */
  readonly close: () => Promise<void>
}

export class PostgresStore implements AccountsStore {
  readonly accounts: SqlAccounts
  readonly deliveries: SqlDeliveries
  readonly nodes: PostgresNodes
  readonly #deps: PostgresStoreDeps
  readonly #listeners = new Set<CommitListener>()

  constructor(deps: PostgresStoreDeps) {
    this.#deps = deps
    const { database } = deps
    const engine: Engine = {
      all: query => database.all(query),
      run: async query => (await database.run(query)) > 0,
    }
    this.accounts = new SqlAccounts(database.db, engine)
    this.deliveries = new SqlDeliveries(database.db, engine)
    this.nodes = deps.nodes
  }

  /** One transaction. Its compare-and-set is one statement, which waits for whoever changes the same row and then compares the version that is stored: so no
   *  update is lost, though the isolation is the usual one (read committed). */
  async commit(commit: Pick<Commit, 'account' | 'delivery' | 'inserts'>): Promise<boolean> {
    const { account, delivery, inserts = {} } = commit
    const { owed = [] } = inserts
    const isCommitted = await this.#deps.database.transaction(async statements => {
      await this.nodes.assertAlive(statements)
      const isWritten = await write(statements, [
        ...(account ? this.accounts.setting(account, inserts.account ?? {}) : []),
        ...(delivery ? this.deliveries.setting(delivery) : []),
        ...owed.map(row => this.deliveries.inserting(row)),
      ])
      if (!isWritten) return false
      if (account && owed.length > 0) {
        const { bootId } = this.#deps
        await notify(statements, { bootId, id: account.id, owed: owed.map(({ id }) => id) })
      }
      return true
    })
    if (!isCommitted) return false
    if (account) for (const listener of this.#listeners) listener(account.id, null, inserts.owed)
    return true
  }

  subscribe(listener: CommitListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** What another node has committed. A delivery that is gone meanwhile has been made. */
  async heard({ bootId, id, owed }: Change): Promise<void> {
    if (bootId === this.#deps.bootId) return
    const found = await Promise.all(owed.map(each => this.deliveries.load(each)))
    const rows = found.filter(row => row !== null)
    for (const listener of this.#listeners) listener(id, null, rows)
  }

  close(): Promise<void> {
    return this.#deps.close()
  }
}

/** Within a transaction.
 *  @returns false if another version is stored */
async function write({ run }: Statements, writes: readonly Write[]): Promise<boolean> {
  for (const { query, mustChange } of writes) if ((await run(query)) === 0 && mustChange) return false
  return true
}
