/** Adds the requestor of a delivery, and indices of deliveries that have not ended, to count them by host and by requestor. @module */
import { type Kysely, sql } from 'kysely'
import { hasColumn } from '../column-types.ts'

/** Each statement can be repeated, because the process may be killed between two of them. */
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
