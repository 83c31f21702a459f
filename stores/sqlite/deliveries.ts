/** Deliveries in the SQLite file of their sessions. Nothing of them is kept in memory: an operator's command may move a row of a running server,
 *  and the version that every commit compares tells whoever was slower. @module */
import type { Kysely } from 'kysely'
import type { DeliveryRow, DeliveryStore } from '../delivery-store.ts'
import { DeliveryQueries } from '../sql/delivery-queries.ts'
import type { Query } from '../sql/prepared-queries.ts'
import { deliveryFromTable, deliveryToTable } from '../sql/rows.ts'
import type { DeliveryTable, Tables } from '../sql/schema.ts'
import type { GroupCommit } from './group-commit.ts'
import type { Statements } from './statements.ts'

export type SqliteDeliveryDeps = {
  readonly db: Kysely<Tables>
  readonly statements: Statements
  readonly commits: GroupCommit
}

export class SqliteDeliveryStore implements DeliveryStore {
  readonly #deps: SqliteDeliveryDeps
  readonly #queries: DeliveryQueries

  constructor(deps: SqliteDeliveryDeps) {
    this.#deps = deps
    this.#queries = new DeliveryQueries(deps.db)
  }

  async load(id: string): Promise<DeliveryRow | null> {
    const stored = this.#all<DeliveryTable>(this.#queries.load(id))[0]
    return stored ? deliveryFromTable(stored) : null
  }

  commit(id: string, version: number, row: DeliveryRow | null): Promise<boolean> {
    const query = row
      ? this.#queries.update(id, version, deliveryToTable(row))
      : this.#queries.delete(id, version)
    return this.#deps.commits.commit({ run: () => this.#run(query) > 0, isOneStatement: true })
  }

  async dueOf(host: string, at: number, limit: number): Promise<readonly string[]> {
    return this.#all<{ id: string }>(this.#queries.dueOf(host, at, limit)).map(({ id }) => id)
  }

  async nextDueAfter(at: number): Promise<number | null> {
    return this.#all<{ due_at: number }>(this.#queries.nextDueAfter(at))[0]?.due_at ?? null
  }

  async dueHosts(at: number, limit: number): Promise<readonly string[]> {
    return this.#all<{ host: string }>(this.#queries.dueHosts(at, limit)).map(({ host }) => host)
  }

  async sending(): Promise<readonly string[]> {
    return this.#all<{ id: string }>(this.#queries.sending()).map(({ id }) => id)
  }

  async list(): Promise<readonly DeliveryRow[]> {
    return this.#all<DeliveryTable>(this.#queries.list()).map(deliveryFromTable)
  }

  /** Within a transaction of the session store. */
  insert(row: DeliveryRow): void {
    this.#run(this.#queries.insert(deliveryToTable(row)))
  }

  #all<Row>({ sql, values }: Query): Row[] {
    return this.#deps.statements.all<Row>(sql, values)
  }

  #run({ sql, values }: Query): number {
    return this.#deps.statements.run(sql, values)
  }
}
