/** Sessions in a PostgreSQL database that several nodes share. This node keeps rows that it has read or committed; another node may have changed them since. So
 *  `load` asks the database each time, for the version alone where that may do, and what answers a caller is what is stored. `recent` does not ask: it is for a step
 *  whose commit compares the version. @module */
import type { Kysely } from 'kysely'
import type { Clock } from '../../ports/clock.ts'
import { KeptSessions } from '../kept-sessions.ts'
import type { SessionId, SessionRow, StatusChange } from '../session-store.ts'
import type { Engine } from '../sql/engine.ts'
import { fromTable } from '../sql/rows.ts'
import type { SessionTable, Tables } from '../sql/schema.ts'
import { SqlSessions } from '../sql/sessions.ts'
import type { Inserts, RowChange } from '../store.ts'
import type { Database } from './database.ts'

/** The version that is stored, and the row where this node has another one or none. A stored answer is forgotten without a new version. */
const LOAD = {
  name: 'load session',
  text: `select version, answered_at, case when version is distinct from $2 or answered_at is distinct from $3 then row_to_json(s) end as row
    from sessions s where id = $1`,
}

type Loaded = { readonly row: JsonRow | null }
/** As JSON, bytes are `\\x` and hex digits. */
type JsonRow = Omit<SessionTable, 'claimed_body'> & { readonly claimed_body: string | null }

export class PostgresSessions extends SqlSessions {
  readonly #database: Pick<Database, 'prepared'>
  readonly #kept: KeptSessions

  constructor(
    db: Kysely<Tables>,
    engine: Engine,
    {
      database,
      clock,
    }: { readonly database: Pick<Database, 'prepared'>; readonly clock: Pick<Clock, 'now'> },
  ) {
    super(db, engine)
    this.#database = database
    this.#kept = new KeptSessions(
      () => clock.now(),
      () => super.count(),
    )
  }

  override async load(id: SessionId): Promise<SessionRow | null> {
    const recent = this.#kept.recent(id)
    const values = [id, recent?.version ?? null, recent?.answered?.answeredAt ?? null]
    const [loaded] = await this.#database.prepared<Loaded>({ ...LOAD, values })
    if (loaded === undefined) {
      this.#kept.forget(id)
      return null
    }
    if (loaded.row === null && recent) return recent
    const row = loaded.row && fromTable({ ...loaded.row, claimed_body: bytesOf(loaded.row.claimed_body) })
    if (row) this.#kept.keep(row)
    return row
  }

  /** As this node last read or committed it, null: it has not. */
  recent(id: SessionId): SessionRow | null {
    return this.#kept.recent(id)
  }

  override async findByRequestorToken(token: string): Promise<SessionId | null> {
    return this.#kept.idOf(token) ?? super.findByRequestorToken(token)
  }

  override async dropAnswers(answeredBefore: number): Promise<void> {
    this.#kept.forgetAnswers(answeredBefore)
    await super.dropAnswers(answeredBefore)
  }

  override count(): Promise<number> {
    return this.#kept.count()
  }

  /** What was committed may be lost: the database may be another one than before. */
  forgetAll(): void {
    this.#kept.forgetAll()
  }

  /** A node has committed that. */
  changed(change: StatusChange): void {
    this.#kept.changed(change)
  }

  /** Before a commit. */
  forget(id: SessionId): void {
    this.#kept.forget(id)
  }

  /** After a commit.
   *  @param before the row that it began with, as far as this node knows */
  keep(change: RowChange<SessionRow>, inserts: Inserts, before: SessionRow | null): void {
    this.#kept.committed(change, inserts, before)
  }
}

function bytesOf(hex: string | null): Uint8Array | null {
  return hex === null ? null : new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
}
