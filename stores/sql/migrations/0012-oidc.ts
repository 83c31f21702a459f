/** Creates the records of an OpenID provider. @module */
import type { Kysely } from 'kysely'

/** Each statement can be repeated, because the process may be killed between two of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('oidc_records')
    .ifNotExists()
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('grant_id', 'text')
    .addColumn('uid', 'text')
    .addColumn('sealed', 'text', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .addColumn('version', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('oidc_records_key', ['kind', 'id'])
    .execute()
  for (const column of ['grant_id', 'uid'] as const) {
    const byColumn = db.schema.createIndex(`oidc_records_${column}`).ifNotExists().on('oidc_records')
    await byColumn.column(column).where(column, 'is not', null).execute()
  }
  const byTime = db.schema.createIndex('oidc_records_expires_at').ifNotExists().on('oidc_records')
  await byTime.column('expires_at').execute()
}
