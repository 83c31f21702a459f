/** Sessions in a SQL database. @module */
import { type Kysely, Migrator, type Transaction } from 'kysely'
import type { CommitListener, Inserts, SessionId, SessionRow, SessionStore } from '../session-store.ts'
import { hashOfToken } from '../token-hash.ts'
import * as sessions from './migrations/0001-sessions.ts'
import { fromTable, toTable } from './rows.ts'
import type { Tables } from './schema.ts'

/** In order of their names; one that was released is never changed. */
const MIGRATIONS = { '0001-sessions': sessions }

export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

type Writer = Kysely<Tables> | Transaction<Tables>

/** @returns whether the stored version was `version`, and the row is now `row` */
async function write(db: Writer, id: SessionId, version: number, row: SessionRow | null): Promise<boolean> {
  if (version === 0) {
    if (row === null) return true
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('sessions')
      .values(toTable(row))
      .onConflict(conflict => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }
  if (row === null) {
    const removal = db.deleteFrom('sessions').where('id', '=', id).where('version', '=', version)
    return (await removal.executeTakeFirstOrThrow()).numDeletedRows === 1n
  }
  const update = db
    .updateTable('sessions')
    .set(toTable(row))
    .where('id', '=', id)
    .where('version', '=', version)
  return (await update.executeTakeFirstOrThrow()).numUpdatedRows === 1n
}

async function insert(db: Writer, { owed = [], sessions: rows = [] }: Inserts): Promise<void> {
  if (rows.length > 0) await db.insertInto('sessions').values(rows.map(toTable)).execute()
  if (owed.length > 0)
    await db
      .insertInto('owed')
      .values([...owed])
      .execute()
}

/** The row comes first: a transaction that begins by writing never has to turn from reader to writer. */
async function commitTo(
  db: Kysely<Tables>,
  id: SessionId,
  version: number,
  row: SessionRow | null,
  inserts: Inserts,
) {
  if (!inserts.owed?.length && !inserts.sessions?.length) return write(db, id, version, row)
  return db.transaction().execute(async transaction => {
    const isWritten = await write(transaction, id, version, row)
    if (isWritten) await insert(transaction, inserts)
    return isWritten
  })
}

function queriesOf(db: Kysely<Tables>) {
  return {
    async load(id: SessionId) {
      const stored = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
      return stored ? fromTable(stored) : null
    },
    async findByRequestorToken(token: string) {
      const hash = hashOfToken(token)
      const found = db.selectFrom('sessions').select('id').where('requestor_token_hash', '=', hash)
      return (await found.executeTakeFirst())?.id ?? null
    },
    async due(at: number, chart: number, limit: number) {
      const rows = await db
        .selectFrom('sessions')
        .select('id')
        .where('due_at', '<=', at)
        .where(where => where.or([where('chart', 'is', null), where('chart', '<=', chart)]))
        .orderBy('due_at')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    async dropAnswers(answeredBefore: number) {
      const none = { answered_call: null, answered_version: null, answered_at: null, answer: null }
      await db.updateTable('sessions').set(none).where('answered_at', '<', answeredBefore).execute()
    },
    async count() {
      const total = db.selectFrom('sessions').select(select => select.fn.countAll().as('total'))
      return Number((await total.executeTakeFirstOrThrow()).total)
    },
  }
}

/** @param db after `migrate`
 *  @param isAlive which boot ids may still be at work
 *  @param close after the database is closed */
export function createSqlStore(
  db: Kysely<Tables>,
  isAlive: (bootId: string) => boolean,
  close: () => void,
): SessionStore {
  const listeners = new Set<CommitListener>()
  return {
    ...queriesOf(db),
    async commit(id, version, row, inserts = {}) {
      const isCommitted = await commitTo(db, id, version, row, inserts)
      if (isCommitted) for (const listener of listeners) listener(id, inserts.change ?? null)
      return isCommitted
    },
    async owed() {
      const rows = await db.selectFrom('owed').selectAll().orderBy('id').execute()
      return rows.map(row => ({ ...row, status: row.status as SessionRow['status'] })) // written by `commit`
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isAlive: async bootId => isAlive(bootId),
    async close() {
      await db.destroy()
      close()
    },
  }
}
