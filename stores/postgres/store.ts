/** A store in one PostgreSQL database, for any number of nodes. @module */
import type { Clock } from '../../ports/clock.ts'
import { NEVER, type OidcCommit } from '../oidc-store.ts'
import type { Outage, WriteOutcomes } from '../outage.ts'
import type { SessionRow } from '../session-store.ts'
import { SqlAccountImports } from '../sql/account-imports.ts'
import { SqlAccounts } from '../sql/accounts.ts'
import { SqlDeliveries } from '../sql/deliveries.ts'
import type { Engine, Write } from '../sql/engine.ts'
import { SqlOidc } from '../sql/oidc.ts'
import { SqlRevocation } from '../sql/revocation.ts'
import type { Commit, CommitListener, Store } from '../store.ts'
import { type Changes, notification } from './changes.ts'
import type { GroupedCommit } from './commit-statement.ts'
import type { Database, Statements } from './database.ts'
import { GroupCommit } from './group-commit.ts'
import type { PostgresNodes } from './nodes.ts'
import { PostgresSessions } from './sessions.ts'
import type { Subscribers } from './subscribers.ts'

export type PostgresStoreDeps = {
  readonly database: Database
  readonly nodes: PostgresNodes
  readonly writes: WriteOutcomes
  readonly bootId: string
  readonly clock: Clock
  readonly changes: Pick<Changes, 'isListening'>
  readonly subscribers: Subscribers
  /** releases the parts that were opened, then closes the database */
  readonly close: () => Promise<void>
}

export class PostgresStore implements Store {
  readonly sessions: PostgresSessions
  readonly accounts: SqlAccounts
  readonly imports: SqlAccountImports
  readonly deliveries: SqlDeliveries
  readonly revocation: SqlRevocation
  readonly oidc: SqlOidc
  readonly nodes: PostgresNodes
  readonly outage: Outage
  readonly #deps: PostgresStoreDeps
  readonly #commits: GroupCommit

  constructor(deps: PostgresStoreDeps) {
    this.#deps = deps
    const { database, bootId, clock, nodes } = deps
    const engine: Engine = {
      all: query => database.all(query),
      run: async (query, isDurable = false) =>
        isDurable
          ? database.transaction(async ({ run }) => (await run(query)) > 0)
          : (await database.run(query)) > 0,
    }
    this.accounts = new SqlAccounts(database.db, engine)
    this.imports = new SqlAccountImports(database.db, engine, writes =>
      database.transaction(async statements => {
        await nodes.assertAlive(statements)
        return write(statements, writes)
      }),
    )
    this.deliveries = new SqlDeliveries(database.db, engine)
    this.revocation = new SqlRevocation(database.db, engine)
    this.oidc = new SqlOidc(database.db, engine)
    this.sessions = new PostgresSessions(database.db, engine, deps)
    this.nodes = nodes
    this.outage = deps.writes
    // added first, so that all other subscribers read the stored row afterwards
    deps.subscribers.add((_id, change) => change && this.sessions.notify(change))
    this.#commits = new GroupCommit({ database, bootId, clock, stoodStill: () => nodes.stoodStill() })
  }

  /** A compare-and-set is one statement. It waits for a concurrent change of the same row and then compares the stored version. So no update is lost,
   *  even at the default isolation level (read committed). */
  async commit(commit: Commit): Promise<boolean> {
    const { session, inserts = {} } = commit
    const before = session ? this.sessions.recent(session.id) : null
    if (session) this.sessions.forget(session.id)
    const own = inserts.change && this.#deps.subscribers.expect(inserts.change, inserts.owed)
    try {
      const grouped = groupedOf(commit, before)
      if (!(await (grouped ? this.#commits.commit(grouped) : this.#transaction(commit)))) return false
      this.#deps.writes.succeeded()
      if (session) this.sessions.keep(session, inserts, before)
      const { subscribers, changes } = this.#deps
      const named = session ?? commit.account
      if (own) await subscribers.committed(own, changes.isListening)
      else if (named) subscribers.notify(named.id, null, inserts.owed)
      return true
    } catch (error) {
      this.#deps.writes.failed(error)
      throw error
    } finally {
      if (own) this.#deps.subscribers.forget(own)
    }
  }

  subscribe(listener: CommitListener, missed?: () => void): () => void {
    return this.#deps.subscribers.add(listener, missed)
  }

  close(): Promise<void> {
    return this.#deps.close()
  }

  /** Takes several round trips, for commits that are rare or must survive a power cut. */
  #transaction(commit: Commit): Promise<boolean> {
    return this.#deps.database.transaction(async statements => {
      await this.nodes.assertAlive(statements)
      if (!(await write(statements, this.#writes(commit)))) return false
      const { change } = commit.inserts ?? {}
      if (change) await statements.all(notification(change))
      return true
    })
  }

  #writes({ session, delivery, account, oidc, accumulators = [], inserts = {} }: Commit): readonly Write[] {
    const { sessions = [], owed = [] } = inserts
    return [
      ...(session ? this.sessions.setting(session) : []),
      ...(delivery ? this.deliveries.setting(delivery) : []),
      ...(account ? this.accounts.setting(account, inserts.account ?? {}) : []),
      ...(oidc ? this.oidc.setting(oidc) : []),
      ...accumulators.flatMap(each => this.revocation.setting(each)),
      ...sessions.map(row => this.sessions.inserting(row)),
      ...owed.map(row => this.deliveries.inserting(row)),
    ]
  }
}

/** @returns null: the commit needs more than the statement of a group can do */
function groupedOf(commit: Commit, before: SessionRow | null): GroupedCommit | null {
  const { session, delivery, account, oidc, accumulators = [], inserts = {} } = commit
  if (account || accumulators.length > 0 || inserts.sessions || (session && delivery)) return null
  const beside = { owed: inserts.owed ?? [], change: inserts.change ?? null }
  if (oidc) return session || delivery ? null : groupedRecord(oidc, beside)
  if (session) return { changed: { session, before }, ...beside }
  return delivery ? { changed: { delivery }, ...beside } : null
}

/** A permanent record, such as a signing key, must survive a power cut, so its commit is a transaction by itself. */
function groupedRecord(
  { changes = [], withoutGrant }: OidcCommit,
  beside: Omit<GroupedCommit, 'changed'>,
): GroupedCommit | null {
  const [change, ...more] = changes
  if (!change || more.length > 0 || withoutGrant !== undefined || change.row?.expiresAt === NEVER) return null
  return { changed: { oidc: change }, ...beside }
}

/** Executes the writes of a transaction in order.
 *  @returns false if another version is stored */
export async function write({ run }: Statements, writes: readonly Write[]): Promise<boolean> {
  for (const { query, mustChange } of writes) if ((await run(query)) === 0 && mustChange) return false
  return true
}
