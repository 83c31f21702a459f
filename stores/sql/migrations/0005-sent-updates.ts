/** The revocation updates that were sent to the app. @module */
import { type Kysely, sql } from 'kysely'

/** May be repeated: a start may be killed between this and the note that it was done. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } =
    await sql`select name from pragma_table_info('sessions') where name = 'sent_updates'`.execute(db)
  if (rows.length === 0) await db.schema.alterTable('sessions').addColumn('sent_updates', 'text').execute()
}
