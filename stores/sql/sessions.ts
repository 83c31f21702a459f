/** Sessions in the tables of an SQL store. @module */
import type { Kysely } from 'kysely'
import type { ListedSession, SessionId, SessionRow, SessionStore } from '../session-store.ts'
import type { RowChange } from '../store.ts'
import { hashOfToken } from '../token-hash.ts'
import { type Engine, ids, type Write } from './engine.ts'
import { changesOf, fromTable, type ListedSessionTable, listedFromTable, toTable } from './rows.ts'
import type { SessionTable, Tables } from './schema.ts'
import { SessionQueries } from './session-queries.ts'

export class SqlSessions implements SessionStore {
  readonly #engine: Engine
  readonly #queries: SessionQueries

  constructor(db: Kysely<Tables>, engine: Engine) {
    this.#engine = engine
    this.#queries = new SessionQueries(db)
  }

  async load(id: SessionId): Promise<SessionRow | null> {
    const [stored] = await this.#engine.all<SessionTable>(this.#queries.load(id))
    return stored ? fromTable(stored) : null
  }

  async findByRequestorToken(token: string): Promise<SessionId | null> {
    const query = this.#queries.findByRequestorToken(hashOfToken(token))
    const [stored] = await this.#engine.all<{ id: SessionId }>(query)
    return stored?.id ?? null
  }

  async due(at: number, chart: number, limit: number): Promise<readonly SessionId[]> {
    return ids(await this.#engine.all(this.#queries.due(at, chart, limit)))
  }

  async nextDueAfter(at: number, chart: number): Promise<number | null> {
    const [stored] = await this.#engine.all<{ due_at: number }>(this.#queries.nextDueAfter(at, chart))
    return stored?.due_at ?? null
  }

  async dropAnswers(answeredBefore: number): Promise<void> {
    await this.#engine.run(this.#queries.dropAnswers(answeredBefore))
  }

  async count(): Promise<number> {
    const [counted] = await this.#engine.all<{ total: number }>(this.#queries.count())
    return Number(counted?.total ?? 0)
  }

  async newest(limit: number): Promise<readonly ListedSession[]> {
    return (await this.#engine.all<ListedSessionTable>(this.#queries.newest(limit))).map(listedFromTable)
  }

  /** The writes of a commit that changes the row. */
  setting({ id, version, row }: RowChange<SessionRow>): readonly Write[] {
    return [{ query: this.#changing(id, version, row), mustChange: true }]
  }

  /** The write of a commit that inserts the row. */
  inserting(row: SessionRow): Write {
    return { query: this.#queries.insert(toTable(row)), mustChange: false }
  }

  #changing(id: SessionId, version: number, row: SessionRow | null) {
    if (row === null) return this.#queries.delete(id, version)
    return version === 0
      ? this.#queries.create(toTable(row))
      : this.#queries.update(id, version, changesOf(row))
  }
}
