/** Adds intermediate results of handling a submission. @module */
import { type Kysely, sql } from 'kysely'

/** Can be repeated: the process may be killed before the migration is recorded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`select name from pragma_table_info('sessions') where name = 'progress'`.execute(
    db,
  )
  if (rows.length === 0) await db.schema.alterTable('sessions').addColumn('progress', 'text').execute()
}
