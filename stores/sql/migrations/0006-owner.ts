/** Adds the process that holds the file, and the latest times of that process. @module */
import { type Kysely, sql } from 'kysely'

/** A process needs this row before it may write any other table, so it creates the table itself. Each statement can be repeated. */
export const OWNER_TABLE = [
  `create table if not exists owner (
    id integer primary key, boot_id text, renewals integer not null, process text, now_at bigint, wall_at bigint
  )`,
  'insert or ignore into owner (id, renewals) values (1, 0)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of OWNER_TABLE) await sql.raw(statement).execute(db)
}
