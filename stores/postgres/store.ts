/** A store in one PostgreSQL database, for as many nodes as there are. @module */
import { SqlAccounts } from '../sql/accounts.ts'
import { SqlDeliveries } from '../sql/deliveries.ts'
import type { Engine, Write } from '../sql/engine.ts'
import { SqlRevocation } from '../sql/revocation.ts'
import { SqlSessions } from '../sql/sessions.ts'
import type { Commit, CommitListener, Store } from '../store.ts'
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

type Subscriber = { readonly listener: CommitListener; readonly missed: () => void }

export class PostgresStore implements Store {
  readonly sessions: SqlSessions
  readonly accounts: SqlAccounts
  readonly deliveries: SqlDeliveries
  readonly revocation: SqlRevocation
  readonly nodes: PostgresNodes
  readonly #deps: PostgresStoreDeps
  readonly #listeners = new Set<Subscriber>()

  constructor(deps: PostgresStoreDeps) {
    this.#deps = deps
    const { database } = deps
    const engine: Engine = {
      all: query => database.all(query),
      run: async query => (await database.run(query)) > 0,
    }
    this.accounts = new SqlAccounts(database.db, engine)
    this.deliveries = new SqlDeliveries(database.db, engine)
    this.revocation = new SqlRevocation(database.db, engine)
    this.sessions = new SqlSessions(database.db, engine)
    this.nodes = deps.nodes
  }

  /** One transaction. Its compare-and-set is one statement, which waits for whoever changes the same row and then compares the version that is stored: so no
   *  update is lost, though the isolation is the usual one (read committed). */
  async commit(commit: Commit): Promise<boolean> {
    const { session, account, inserts = {} } = commit
    const { owed = [], change = null } = inserts
    const named = session ?? account
    const isCommitted = await this.#deps.database.transaction(async statements => {
      await this.nodes.assertAlive(statements)
      if (!(await write(statements, this.#writes(commit)))) return false
      if (named && (owed.length > 0 || change)) {
        const { bootId } = this.#deps
        await notify(statements, { bootId, id: named.id, change, owed: owed.map(({ id }) => id) })
      }
      return true
    })
    if (!isCommitted) return false
    if (named) for (const { listener } of this.#listeners) listener(named.id, change, inserts.owed)
    return true
  }

  #writes({ session, delivery, account, accumulators = [], inserts = {} }: Commit): readonly Write[] {
    const { sessions = [], owed = [] } = inserts
    return [
      ...(session ? this.sessions.setting(session) : []),
      ...(delivery ? this.deliveries.setting(delivery) : []),
      ...(account ? this.accounts.setting(account, inserts.account ?? {}) : []),
      ...accumulators.flatMap(each => this.revocation.setting(each)),
      ...sessions.map(row => this.sessions.inserting(row)),
      ...owed.map(row => this.deliveries.inserting(row)),
    ]
  }

  subscribe(listener: CommitListener, missed: () => void = () => {}): () => void {
    const subscriber = { listener, missed }
    this.#listeners.add(subscriber)
    return () => this.#listeners.delete(subscriber)
  }

  /** The connection that hears of commits of others was lost, and is there again. */
  missed(): void {
    for (const { missed } of this.#listeners) missed()
  }

  /** What another node has committed. A delivery that is gone meanwhile has been made. */
  async heard({ bootId, id, change, owed }: Change): Promise<void> {
    if (bootId === this.#deps.bootId) return
    const found = await Promise.all(owed.map(each => this.deliveries.load(each)))
    const rows = found.filter(row => row !== null)
    for (const { listener } of this.#listeners) listener(id, change, rows)
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
