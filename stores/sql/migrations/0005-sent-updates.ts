/** Adds the revocation updates that were sent to the app. @module */
import { type Kysely, sql } from 'kysely'

/** Can be repeated: the process may be killed before the migration is recorded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } =
    await sql`select name from pragma_table_info('sessions') where name = 'sent_updates'`.execute(db)
  if (rows.length === 0) await db.schema.alterTable('sessions').addColumn('sent_updates', 'text').execute()
}
