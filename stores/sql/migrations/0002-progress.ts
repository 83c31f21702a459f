/** What the handling of a submission has come to so far. @module */
import { type Kysely, sql } from 'kysely'

/** May be repeated: a start may be killed between this and the note that it was done. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`select name from pragma_table_info('sessions') where name = 'progress'`.execute(
    db,
  )
  if (rows.length === 0) await db.schema.alterTable('sessions').addColumn('progress', 'text').execute()
}
