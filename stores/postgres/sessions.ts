/** Sessions in a PostgreSQL database that several nodes share. This node caches rows that it read or committed, but another node may have changed
 *  them since. `load` always asks the database, so a caller gets the stored row. It reads only the version if the cached row may be current. `recent`
 *  does not ask; it is for a step whose commit compares the version. @module */
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

/** Selects the stored version, and the row if this node has another version or none. Dropping a stored answer does not change the version. */
const LOAD = {
  name: 'load session',
  text: `select version, answered_at, case when version is distinct from $2 or answered_at is distinct from $3 then row_to_json(s) end as row
    from sessions s where id = $1`,
}

type Loaded = { readonly row: JsonRow | null }
/** As JSON, where bytes are `\\x` and hex digits. */
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

  /** The row as this node last read or committed it; null: not in memory. */
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

  /** Drops all rows, because commits may be lost, or another database may have taken the place of the old one. */
  forgetAll(): void {
    this.#kept.forgetAll()
  }

  /** To be called after a commit of any node. */
  notify(change: StatusChange): void {
    this.#kept.notify(change)
  }

  /** To be called before a commit. */
  forget(id: SessionId): void {
    this.#kept.forget(id)
  }

  /** To be called after a commit.
   *  @param before the row that the commit began with, if this node has it */
  keep(change: RowChange<SessionRow>, inserts: Inserts, before: SessionRow | null): void {
    this.#kept.committed(change, inserts, before)
  }
}

function bytesOf(hex: string | null): Uint8Array | null {
  return hex === null ? null : new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
}
