/** Adds how far the times of a file were moved since it was made. Records of accounts are bound to the times of their rows. @module */
import type { Kysely } from 'kysely'
import { hasColumn } from '../column-types.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(await hasColumn(db, 'owner', 'moved_ms')))
    await db.schema
      .alterTable('owner')
      .addColumn('moved_ms', 'bigint', column => column.notNull().defaultTo(0))
      .execute()
}
