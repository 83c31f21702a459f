/** Deliveries in the SQLite file of their sessions. Nothing of them is kept in memory: an operator's command may move a row of a running server,
 *  and the version that every commit compares shows it to whoever was slower. @module */
import type { DeliveryRow, DeliveryStore } from '../delivery-store.ts'
import { DeliveryQueries } from '../sql/delivery-queries.ts'
import { deliveryFromTable, deliveryToTable } from '../sql/rows.ts'
import type { DeliveryTable } from '../sql/schema.ts'
import type { RowChange } from '../store.ts'
import { type PartDeps, SqlitePart } from './part.ts'

export class SqliteDeliveries extends SqlitePart implements DeliveryStore {
  readonly #queries: DeliveryQueries

  constructor(deps: PartDeps) {
    super(deps)
    this.#queries = new DeliveryQueries(deps.db)
  }

  async load(id: string): Promise<DeliveryRow | null> {
    const stored = this.all<DeliveryTable>(this.#queries.load(id))[0]
    return stored ? deliveryFromTable(stored) : null
  }

  async dueOf(host: string, at: number, limit: number): Promise<readonly string[]> {
    return this.all<{ id: string }>(this.#queries.dueOf(host, at, limit)).map(({ id }) => id)
  }

  async nextDueAfter(at: number): Promise<number | null> {
    return this.all<{ due_at: number }>(this.#queries.nextDueAfter(at))[0]?.due_at ?? null
  }

  async dueHosts(at: number, limit: number): Promise<readonly string[]> {
    return this.all<{ host: string }>(this.#queries.dueHosts(at, limit)).map(({ host }) => host)
  }

  async sending(): Promise<readonly string[]> {
    return this.all<{ id: string }>(this.#queries.sending()).map(({ id }) => id)
  }

  async list(): Promise<readonly DeliveryRow[]> {
    return this.all<DeliveryTable>(this.#queries.list()).map(deliveryFromTable)
  }

  /** Within a transaction.
   *  @returns false if another version is stored */
  set({ id, version, row }: RowChange<DeliveryRow>): boolean {
    if (row === null) return this.run(this.#queries.delete(id, version)) > 0
    return this.run(this.#queries.update(id, version, deliveryToTable(row))) > 0
  }

  /** Within a transaction. */
  insert(row: DeliveryRow): void {
    this.run(this.#queries.insert(deliveryToTable(row)))
  }
}
