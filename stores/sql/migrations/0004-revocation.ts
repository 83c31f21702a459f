/** Creates accumulators, their events, and issuance records. @module */
import type { Kysely } from 'kysely'
import { columnTypesOf } from '../column-types.ts'

/** Each statement can be repeated, because the statements are not one transaction and the process may be killed between two of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { bytes } = columnTypesOf(db)
  await db.schema
    .createTable('accumulators')
    .ifNotExists()
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('key_counter', 'integer', column => column.notNull())
    .addColumn('version', 'integer', column => column.notNull())
    .addColumn('signed', bytes, column => column.notNull())
    .addColumn('last_index', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('accumulators_key', ['type', 'key_counter'])
    .execute()
  await db.schema
    .createTable('revocation_events')
    .ifNotExists()
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('key_counter', 'integer', column => column.notNull())
    .addColumn('number', 'integer', column => column.notNull())
    .addColumn('e', bytes, column => column.notNull())
    .addColumn('parent_hash', bytes, column => column.notNull())
    .addPrimaryKeyConstraint('revocation_events_key', ['type', 'key_counter', 'number'])
    .execute()
  await createRecords(db)
}

async function createRecords(db: Kysely<unknown>): Promise<void> {
  const { bytes, number, numbered } = columnTypesOf(db)
  await db.schema
    .createTable('issuance_records')
    .ifNotExists()
    .addColumn('id', number, numbered)
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('key_counter', 'integer', column => column.notNull())
    .addColumn('revocation_key', bytes, column => column.notNull())
    .addColumn('issued_at_ns', 'text', column => column.notNull())
    .addColumn('e', bytes, column => column.notNull())
    .addColumn('valid_until_ns', 'text', column => column.notNull())
    .addColumn('valid_until_sec', 'bigint', column => column.notNull())
    .addColumn('revoked_at_ns', 'text', column => column.notNull())
    .addUniqueConstraint('issuance_records_e', ['type', 'key_counter', 'e'])
    .execute()
  const byKey = db.schema.createIndex('issuance_records_key').ifNotExists().on('issuance_records')
  await byKey.columns(['type', 'revocation_key']).execute()
  const byTime = db.schema.createIndex('issuance_records_valid_until').ifNotExists().on('issuance_records')
  await byTime.column('valid_until_sec').execute()
}
