/** A store in one SQLite file that only this process uses. @module */
import { NEVER } from '../oidc-store.ts'
import type { Outage } from '../outage.ts'
import { SqlAccountImports } from '../sql/account-imports.ts'
import { SqlDeliveries } from '../sql/deliveries.ts'
import type { Write } from '../sql/engine.ts'
import { SqlOidc } from '../sql/oidc.ts'
import { SqlRevocation } from '../sql/revocation.ts'
import type { Commit, CommitListener, Nodes, Store } from '../store.ts'
import { mustSurvivePowerCut } from './account-power-cut.ts'
import { SqliteAccounts } from './accounts.ts'
import { engineOf, type PartDeps, write } from './part.ts'
import { SqliteSessions } from './sessions.ts'

export type SqliteStoreDeps = PartDeps & {
  readonly bootId: string
  readonly outage: Outage
  /** releases the file, then closes the database */
  readonly close: () => Promise<void>
}

/** Another version is stored; the transaction is rolled back. */
class LostRaceError extends Error {}

export class SqliteStore implements Store {
  readonly sessions: SqliteSessions
  readonly deliveries: SqlDeliveries
  readonly revocation: SqlRevocation
  readonly accounts: SqliteAccounts
  readonly imports: SqlAccountImports
  readonly oidc: SqlOidc
  /** One process per file, so any other node is dead. */
  readonly nodes: Nodes = { isShared: false, isAlive: async id => id === this.#deps.bootId, aheadMs: () => 0 }
  readonly outage: Outage
  readonly #deps: SqliteStoreDeps
  readonly #listeners = new Set<CommitListener>()

  constructor(deps: SqliteStoreDeps) {
    this.#deps = deps
    this.outage = deps.outage
    this.sessions = new SqliteSessions(deps)
    const engine = engineOf(deps)
    this.deliveries = new SqlDeliveries(deps.db, engine)
    this.revocation = new SqlRevocation(deps.db, engine)
    this.accounts = new SqliteAccounts(deps)
    this.oidc = new SqlOidc(deps.db, engine)
    this.imports = new SqlAccountImports(deps.db, engine, writes => this.#transact(() => writes, true))
  }

  async commit(commit: Commit): Promise<boolean> {
    const { session, account, inserts = {} } = commit
    const isDurable = await this.#isDurable(commit)
    const before = session ? this.sessions.forget(session.id) : null
    if (account) this.accounts.forget(account.id)
    if (!(await this.#commitAll(commit, isDurable))) return false
    if (session) this.sessions.keep(session, inserts, before)
    if (account) this.accounts.keep(account)
    const named = session ?? account
    if (named)
      for (const listener of this.#listeners) listener(named.id, inserts.change ?? null, inserts.owed)
    return true
  }

  subscribe(listener: CommitListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Waits for pending commits first. */
  async close(): Promise<void> {
    await this.#deps.commits.drain()
    await this.#deps.close()
  }

  /** @returns false if another version is stored */
  #commitAll(commit: Commit, isDurable: boolean): Promise<boolean> {
    return this.#transact(() => this.#writes(commit), isDurable, isOneStatement(commit))
  }

  /** @returns false if a write that must change a row changes none */
  async #transact(
    writes: () => readonly Write[],
    isDurable: boolean,
    isOneStatement = false,
  ): Promise<boolean> {
    const run = (): boolean => {
      if (!write(this.#deps, writes())) throw new LostRaceError()
      return true
    }
    try {
      return await this.#deps.commits.commit({ run, isOneStatement, isDurable })
    } catch (error) {
      if (error instanceof LostRaceError) return false
      throw error
    }
  }

  /** A signing key must last, because a token that names a lost key cannot be verified. An account is compared with the stored one. If it has
   *  another version, the answer does not matter, because nothing is committed. */
  async #isDurable({ account, oidc, accumulators = [] }: Commit): Promise<boolean> {
    if (oidc?.changes?.some(({ row }) => row?.expiresAt === NEVER)) return true
    if (accumulators.some(({ events = [] }) => events.length > 0)) return true
    return account !== undefined && mustSurvivePowerCut(await this.accounts.load(account.id), account.row)
  }

  #writes({ session, delivery, account, oidc, accumulators = [], inserts = {} }: Commit): readonly Write[] {
    const { sessions = [], owed = [] } = inserts
    return [
      ...(session ? this.sessions.setting(session) : []),
      ...(delivery ? this.deliveries.setting(delivery) : []),
      ...(account ? this.accounts.setting(account, inserts.account ?? {}) : []),
      ...(oidc ? this.oidc.setting(oidc) : []),
      ...accumulators.flatMap(change => this.revocation.setting(change)),
      ...sessions.map(row => this.sessions.inserting(row)),
      ...owed.map(row => this.deliveries.inserting(row)),
    ]
  }
}

function isOneStatement({
  session,
  delivery,
  account,
  oidc,
  accumulators = [],
  inserts = {},
}: Commit): boolean {
  const { sessions = [], owed = [], account: beside } = inserts
  const { changes = [], withoutGrant } = oidc ?? {}
  const rows = [session, delivery, account, withoutGrant, ...changes].filter(row => row !== undefined)
  return accumulators.length === 0 && !beside && rows.length + sessions.length + owed.length === 1
}
