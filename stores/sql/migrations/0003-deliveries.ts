/** Replaces the table `owed` by deliveries. Its rows are dropped, because they contain no address. @module */
import type { Kysely } from 'kysely'
import { columnTypesOf } from '../column-types.ts'

/** Each statement can be repeated: they are not one transaction here, and the process may be killed between two of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { number, numbered } = columnTypesOf(db)
  await db.schema
    .createTable('deliveries')
    .ifNotExists()
    .addColumn('number', number, numbered)
    .addColumn('id', 'text', column => column.notNull().unique())
    .addColumn('session', 'text', column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('version', 'integer', column => column.notNull())
    .addColumn('chart', 'integer', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('host', 'text', column => column.notNull())
    .addColumn('owed_at', 'bigint', column => column.notNull())
    .addColumn('give_up_at', 'bigint', column => column.notNull())
    .addColumn('due_at', 'bigint', column => column.notNull())
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('boot_id', 'text')
    .addColumn('last_outcome', 'text')
    .addColumn('message', 'text')
    .execute()
  const byHost = db.schema.createIndex('deliveries_due').ifNotExists().on('deliveries')
  await byHost.columns(['host', 'due_at']).execute()
  const byTime = db.schema.createIndex('deliveries_due_at').ifNotExists().on('deliveries')
  await byTime.columns(['due_at', 'host']).execute()
  await db.schema.dropTable('owed').ifExists().execute()
}
