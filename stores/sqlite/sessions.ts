/** Sessions in an SQLite file that this process has for itself. @module */
import type { ListedSession, SessionId, SessionRow, SessionStore } from '../session-store.ts'
import { changesOf, fromTable, type ListedSessionTable, listedFromTable, toTable } from '../sql/rows.ts'
import type { SessionTable } from '../sql/schema.ts'
import { SessionQueries } from '../sql/session-queries.ts'
import type { Inserts, RowChange } from '../store.ts'
import { hashOfToken } from '../token-hash.ts'
import { type PartDeps, SqlitePart } from './part.ts'
import { RecentRows } from './recent-rows.ts'

export class SqliteSessions extends SqlitePart implements SessionStore {
  readonly #queries: SessionQueries
  readonly #recent: RecentRows<SessionRow>
  /** counted once and then kept: counting rows takes as long as there are rows */
  #count: number

  constructor(deps: PartDeps) {
    super(deps)
    this.#queries = new SessionQueries(deps.db)
    this.#recent = new RecentRows(deps.statements, lengthOf)
    this.#count = this.all<{ total: number }>(this.#queries.count())[0]?.total ?? 0
  }

  async load(id: SessionId): Promise<SessionRow | null> {
    const recent = this.#recent.get(id)
    if (recent) return recent
    const stored = this.all<SessionTable>(this.#queries.load(id))[0]
    return stored ? fromTable(stored) : null
  }

  async findByRequestorToken(token: string): Promise<SessionId | null> {
    const query = this.#queries.findByRequestorToken(hashOfToken(token))
    return this.all<{ id: SessionId }>(query)[0]?.id ?? null
  }

  async due(at: number, chart: number, limit: number): Promise<readonly SessionId[]> {
    return this.all<{ id: SessionId }>(this.#queries.due(at, chart, limit)).map(({ id }) => id)
  }

  async nextDueAfter(at: number, chart: number): Promise<number | null> {
    return this.all<{ due_at: number }>(this.#queries.nextDueAfter(at, chart))[0]?.due_at ?? null
  }

  async dropAnswers(answeredBefore: number): Promise<void> {
    this.#recent.forgetAll(({ answered }) => answered !== null && answered.answeredAt < answeredBefore)
    await this.commitOne(this.#queries.dropAnswers(answeredBefore))
  }

  async count(): Promise<number> {
    return this.#count
  }

  async newest(limit: number): Promise<readonly ListedSession[]> {
    return this.all<ListedSessionTable>(this.#queries.newest(limit)).map(listedFromTable)
  }

  /** Before a commit. */
  forget(id: SessionId): void {
    this.#recent.forget(id)
  }

  /** Within a transaction.
   *  @returns false if another version is stored */
  set({ id, version, row }: RowChange<SessionRow>): boolean {
    if (row === null) return this.run(this.#queries.delete(id, version)) > 0
    if (version === 0) return this.run(this.#queries.create(toTable(row))) > 0
    return this.run(this.#queries.update(id, version, changesOf(row))) > 0
  }

  /** Within a transaction. */
  insert(row: SessionRow): void {
    this.run(this.#queries.insert(toTable(row)))
  }

  /** After a commit. */
  keep(change: RowChange<SessionRow>, { sessions = [] }: Inserts): void {
    this.#recent.keep(change)
    this.#count += sessions.length + (change.version === 0 ? 1 : 0) - (change.row === null ? 1 : 0)
  }
}

/** The characters of the columns that may be long. */
function lengthOf({ request, claimedBody, progress, sentUpdates, result, answered }: SessionRow): number {
  const texts = [request.text, claimedBody, progress, sentUpdates?.text, result?.text, answered?.answer.body]
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
}
