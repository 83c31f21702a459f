/** Creates the memory of imports (stores/account-imports.ts). @module */
import type { Kysely } from 'kysely'

/** The rows do not refer to accounts, because they outlive them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('account_imports')
    .ifNotExists()
    .addColumn('account_id', 'text', column => column.primaryKey())
    .addColumn('version', 'integer', column => column.notNull())
    .addColumn('fingerprint', 'text', column => column.notNull())
    .addColumn('log_number', 'bigint', column => column.notNull())
    .execute()
}
