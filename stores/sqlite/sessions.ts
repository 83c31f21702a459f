/** Sessions in an SQLite file that this process has for itself. @module */
import { LRUCache } from 'lru-cache'
import type { ListedSession, SessionId, SessionRow, SessionStore } from '../session-store.ts'
import { changesOf, fromTable, type ListedSessionTable, listedFromTable, toTable } from '../sql/rows.ts'
import type { SessionTable } from '../sql/schema.ts'
import { SessionQueries } from '../sql/session-queries.ts'
import type { Inserts, RowChange } from '../store.ts'
import { hashOfToken } from '../token-hash.ts'
import { type PartDeps, SqlitePart } from './part.ts'

/** The most rows that are kept: those of sessions in the midst of their calls. An idle one is read from the file. */
const MAX_RECENT = 1_000
/** The most characters of all texts of the rows that are kept; a row that is longer is read from the file. */
const MAX_RECENT_CHARACTERS = 64 * 2 ** 20

export class SqliteSessions extends SqlitePart implements SessionStore {
  readonly #queries: SessionQueries
  /** rows as they were last committed: since nobody else writes the file, that is what is stored */
  readonly #recent = new LRUCache<SessionId, SessionRow>({
    max: MAX_RECENT,
    maxSize: MAX_RECENT_CHARACTERS,
    sizeCalculation: lengthOf,
  })
  /** counted once and then kept: counting rows takes as long as there are rows */
  #count: number

  constructor(deps: PartDeps) {
    super(deps)
    this.#queries = new SessionQueries(deps.db)
    this.#count = this.all<{ total: number }>(this.#queries.count())[0]?.total ?? 0
  }

  async load(id: SessionId): Promise<SessionRow | null> {
    const recent = this.#recent.get(id)
    if (recent) {
      this.statements.assertReadable()
      return recent
    }
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
    for (const [id, { answered }] of this.#recent)
      if (answered && answered.answeredAt < answeredBefore) this.#recent.delete(id)
    await this.commitOne(this.#queries.dropAnswers(answeredBefore))
  }

  async count(): Promise<number> {
    return this.#count
  }

  async newest(limit: number): Promise<readonly ListedSession[]> {
    return this.all<ListedSessionTable>(this.#queries.newest(limit)).map(listedFromTable)
  }

  /** Before a commit: until its outcome is known, the row is read from the file. */
  forget(id: SessionId): void {
    this.#recent.delete(id)
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
  keep({ id, version, row }: RowChange<SessionRow>, { sessions = [] }: Inserts): void {
    if (row) this.#recent.set(id, row)
    this.#count += sessions.length + (version === 0 ? 1 : 0) - (row === null ? 1 : 0)
  }
}

/** The characters of the columns that may be long. */
function lengthOf({ request, claimedBody, progress, sentUpdates, result, answered }: SessionRow): number {
  const texts = [request.text, claimedBody, progress, sentUpdates?.text, result?.text, answered?.answer.body]
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 1)
}
