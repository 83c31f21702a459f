/** Sessions in an SQLite file that this process has for itself. @module */
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { CommitListener, Inserts, SessionId, SessionRow, SessionStore } from '../session-store.ts'
import type { Query } from '../sql/prepared-queries.ts'
import { changesOf, fromTable, toTable } from '../sql/rows.ts'
import type { SessionTable, Tables } from '../sql/schema.ts'
import { SessionQueries } from '../sql/session-queries.ts'
import { hashOfToken } from '../token-hash.ts'
import { SqliteDeliveryStore } from './deliveries.ts'
import type { GroupCommit } from './group-commit.ts'
import { SqliteRevocationStore } from './revocation.ts'
import type { Statements } from './statements.ts'

export type SqliteStoreDeps = {
  /** after `migrate` */
  readonly db: Kysely<Tables>
  readonly statements: Statements
  readonly bootId: string
  readonly commits: GroupCommit
  /** lets go of the file, then closes the database */
  readonly close: () => Promise<void>
}

/** Sessions in the midst of their calls; an idle one is read from the file. */
const MAX_RECENT = 1_000
/** of their texts together; one that is longer is read from the file */
const MAX_RECENT_CHARACTERS = 64 * 2 ** 20

export class SqliteSessionStore implements SessionStore {
  readonly #deps: SqliteStoreDeps
  readonly #queries: SessionQueries
  readonly deliveries: SqliteDeliveryStore
  readonly revocation: SqliteRevocationStore
  readonly #listeners = new Set<CommitListener>()
  /** rows as they were last committed: since nobody else writes the file, that is what is stored */
  readonly #recent = new LRUCache<SessionId, SessionRow>({
    max: MAX_RECENT,
    maxSize: MAX_RECENT_CHARACTERS,
    sizeCalculation: lengthOf,
  })
  /** counted once and then kept: counting rows takes as long as there are rows */
  #count: number

  constructor(deps: SqliteStoreDeps) {
    this.#deps = deps
    this.#queries = new SessionQueries(deps.db)
    this.deliveries = new SqliteDeliveryStore(deps)
    this.revocation = new SqliteRevocationStore(deps)
    this.#count = this.#all<{ total: number }>(this.#queries.count())[0]?.total ?? 0
  }

  async load(id: SessionId): Promise<SessionRow | null> {
    const recent = this.#recent.get(id)
    if (recent) {
      this.#deps.statements.assertReadable()
      return recent
    }
    const stored = this.#all<SessionTable>(this.#queries.load(id))[0]
    return stored ? fromTable(stored) : null
  }

  async findByRequestorToken(token: string): Promise<SessionId | null> {
    return this.#firstId(this.#queries.findByRequestorToken(hashOfToken(token)))
  }

  async commit(
    id: SessionId,
    version: number,
    row: SessionRow | null,
    inserts: Inserts = {},
  ): Promise<boolean> {
    this.#recent.delete(id) // until it is known what is stored
    const { sessions = [], owed = [] } = inserts
    const isCommitted = await this.#deps.commits.commit({
      run: () => this.#write(id, version, row, inserts),
      isOneStatement: sessions.length + owed.length === 0,
    })
    if (!isCommitted) return false
    if (row) this.#recent.set(id, row)
    this.#count += sessions.length + (version === 0 ? 1 : 0) - (row === null ? 1 : 0)
    for (const listener of this.#listeners) listener(id, inserts.change ?? null, inserts.owed)
    return true
  }

  async due(at: number, chart: number, limit: number): Promise<readonly SessionId[]> {
    return this.#all<{ id: SessionId }>(this.#queries.due(at, chart, limit)).map(({ id }) => id)
  }

  async nextDueAfter(at: number, chart: number): Promise<number | null> {
    return this.#all<{ due_at: number }>(this.#queries.nextDueAfter(at, chart))[0]?.due_at ?? null
  }

  async dropAnswers(answeredBefore: number): Promise<void> {
    for (const [id, { answered }] of this.#recent)
      if (answered && answered.answeredAt < answeredBefore) this.#recent.delete(id)
    const run = (): boolean => this.#run(this.#queries.dropAnswers(answeredBefore)) > 0
    await this.#deps.commits.commit({ run, isOneStatement: true })
  }

  async count(): Promise<number> {
    return this.#count
  }

  subscribe(listener: CommitListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** One process per file: any other is gone. */
  async isAlive(bootId: string): Promise<boolean> {
    return bootId === this.#deps.bootId
  }

  /** Commits that are on their way are made first. */
  async close(): Promise<void> {
    await this.#deps.commits.drain()
    await this.#deps.close()
  }

  #write(id: SessionId, version: number, row: SessionRow | null, inserts: Inserts): boolean {
    if (this.#run(this.#compareAndSet(id, version, row)) === 0) return false
    for (const session of inserts.sessions ?? []) this.#run(this.#queries.insert(toTable(session)))
    for (const owed of inserts.owed ?? []) this.deliveries.insert(owed)
    return true
  }

  #compareAndSet(id: SessionId, version: number, row: SessionRow | null): Query {
    if (row === null) return this.#queries.delete(id, version)
    return version === 0
      ? this.#queries.create(toTable(row))
      : this.#queries.update(id, version, changesOf(row))
  }

  #firstId(query: Query): SessionId | null {
    return this.#all<{ id: SessionId }>(query)[0]?.id ?? null
  }

  #all<Row>({ sql, values }: Query): Row[] {
    return this.#deps.statements.all<Row>(sql, values)
  }

  #run({ sql, values }: Query): number {
    return this.#deps.statements.run(sql, values)
  }
}

/** The columns that may be long. */
function lengthOf({ request, claimedBody, progress, sentUpdates, result, answered }: SessionRow): number {
  const texts = [request, claimedBody, progress, sentUpdates, result, answered?.answer.body]
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 1)
}
