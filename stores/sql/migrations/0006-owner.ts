/** Who holds the file, and the latest time that its owner has seen. @module */
import { type Kysely, sql } from 'kysely'

/** Whoever opens the file needs the row before it may touch any other table, hence makes it by itself: each statement may be repeated. */
export const OWNER_TABLE = [
  `create table if not exists owner (
    id integer primary key, boot_id text, renewals integer not null, process text, now_at bigint, wall_at bigint
  )`,
  'insert or ignore into owner (id, renewals) values (1, 0)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of OWNER_TABLE) await sql.raw(statement).execute(db)
}
