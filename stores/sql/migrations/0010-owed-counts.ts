/** Who owes a delivery, and indices of those that have not ended, which are counted by host and by requestor. @module */
import { type Kysely, sql } from 'kysely'
import { hasColumn } from '../column-types.ts'

/** Each statement may be repeated: a start may be killed between two. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(await hasColumn(db, 'deliveries', 'requestor')))
    await db.schema.alterTable('deliveries').addColumn('requestor', 'text').execute()
  for (const column of ['host', 'requestor'])
    await db.schema
      .createIndex(`deliveries_owed_${column}`)
      .ifNotExists()
      .on('deliveries')
      .column(column)
      .where(sql.ref('message'), 'is not', null)
      .execute()
}
