/** Deliveries in the tables of an SQL store. They are not cached, because a command of an operator or another node may change a row. The version that
 *  every commit compares detects such a change. @module */
import type { Kysely } from 'kysely'
import type { DeliveryParty, DeliveryRow, DeliveryStore, ListedDelivery } from '../delivery-store.ts'
import type { RowChange } from '../store.ts'
import { DeliveryQueries } from './delivery-queries.ts'
import { type Engine, ids, type Write } from './engine.ts'
import {
  deliveryFromTable,
  deliveryToTable,
  type ListedDeliveryTable,
  listedDeliveryFromTable,
} from './rows.ts'
import type { DeliveryTable, Tables } from './schema.ts'

export class SqlDeliveries implements DeliveryStore {
  readonly #engine: Pick<Engine, 'all'>
  readonly #queries: DeliveryQueries

  constructor(db: Kysely<Tables>, engine: Pick<Engine, 'all'>) {
    this.#engine = engine
    this.#queries = new DeliveryQueries(db)
  }

  async load(id: string): Promise<DeliveryRow | null> {
    const [stored] = await this.#engine.all<DeliveryTable>(this.#queries.load(id))
    return stored ? deliveryFromTable(stored) : null
  }

  async dueOf(host: string, at: number, limit: number): Promise<readonly string[]> {
    return ids(await this.#engine.all(this.#queries.dueOf(host, at, limit)))
  }

  async nextDueAfter(at: number): Promise<number | null> {
    const [stored] = await this.#engine.all<{ due_at: number }>(this.#queries.nextDueAfter(at))
    return stored?.due_at ?? null
  }

  async dueHosts(at: number, limit: number): Promise<readonly string[]> {
    const rows = await this.#engine.all<{ host: string }>(this.#queries.dueHosts(at, limit))
    return rows.map(({ host }) => host)
  }

  async sending(): Promise<readonly string[]> {
    return ids(await this.#engine.all(this.#queries.sending()))
  }

  async list(): Promise<readonly DeliveryRow[]> {
    return (await this.#engine.all<DeliveryTable>(this.#queries.list())).map(deliveryFromTable)
  }

  async count(): Promise<number> {
    const [counted] = await this.#engine.all<{ total: number }>(this.#queries.count())
    return Number(counted?.total ?? 0)
  }

  async countOwed(by: DeliveryParty, limit: number): Promise<number> {
    const [counted] = await this.#engine.all<{ total: number }>(this.#queries.countOwed(by, limit))
    return Number(counted?.total ?? 0)
  }

  async newest(limit: number): Promise<readonly ListedDelivery[]> {
    const rows = await this.#engine.all<ListedDeliveryTable>(this.#queries.newest(limit))
    return rows.map(listedDeliveryFromTable)
  }

  /** The writes of a commit that changes the row. */
  setting({ id, version, row }: RowChange<DeliveryRow>): readonly Write[] {
    const queries = this.#queries
    const query =
      row === null ? queries.delete(id, version) : queries.update(id, version, deliveryToTable(row))
    return [{ query, mustChange: true }]
  }

  /** The write of a commit that inserts the delivery. */
  inserting(row: DeliveryRow): Write {
    return { query: this.#queries.insert(deliveryToTable(row)), mustChange: false }
  }
}
