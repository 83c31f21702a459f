/** Deliveries in a PostgreSQL database: each is attempted by one node at a time, since every step of it is a compare-and-set. @module */
import type { DeliveryRow, DeliveryStore } from '../delivery-store.ts'
import { DeliveryQueries } from '../sql/delivery-queries.ts'
import { deliveryFromTable, deliveryToTable } from '../sql/rows.ts'
import type { DeliveryTable } from '../sql/schema.ts'
import type { RowChange } from '../store.ts'
import type { Database, Statements } from './database.ts'

export class PostgresDeliveries implements DeliveryStore {
  readonly #database: Database
  readonly #queries: DeliveryQueries

  constructor(database: Database) {
    this.#database = database
    this.#queries = new DeliveryQueries(database.db)
  }

  async load(id: string): Promise<DeliveryRow | null> {
    const [stored] = await this.#database.all<DeliveryTable>(this.#queries.load(id))
    return stored ? deliveryFromTable(stored) : null
  }

  async dueOf(host: string, at: number, limit: number): Promise<readonly string[]> {
    return idsOf(await this.#database.all(this.#queries.dueOf(host, at, limit)))
  }

  async nextDueAfter(at: number): Promise<number | null> {
    const [stored] = await this.#database.all<{ due_at: number }>(this.#queries.nextDueAfter(at))
    return stored?.due_at ?? null
  }

  async dueHosts(at: number, limit: number): Promise<readonly string[]> {
    const rows = await this.#database.all<{ host: string }>(this.#queries.dueHosts(at, limit))
    return rows.map(({ host }) => host)
  }

  async sending(): Promise<readonly string[]> {
    return idsOf(await this.#database.all(this.#queries.sending()))
  }

  async list(): Promise<readonly DeliveryRow[]> {
    return (await this.#database.all<DeliveryTable>(this.#queries.list())).map(deliveryFromTable)
  }

  /** Within a transaction.
   *  @returns false if another version is stored */
  async set({ run }: Statements, { id, version, row }: RowChange<DeliveryRow>): Promise<boolean> {
    if (row === null) return (await run(this.#queries.delete(id, version))) > 0
    return (await run(this.#queries.update(id, version, deliveryToTable(row)))) > 0
  }

  /** Within a transaction. */
  async insert({ run }: Statements, row: DeliveryRow): Promise<void> {
    await run(this.#queries.insert(deliveryToTable(row)))
  }
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id)
}
