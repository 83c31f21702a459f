/** Creates sessions, and the effects to perform at their end. @module */
import type { Kysely } from 'kysely'
import { columnTypesOf } from '../column-types.ts'

/** Each statement can be repeated: they are not one transaction here, and the process may be killed between two of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSessions(db)
  await db.schema
    .createTable('owed')
    .ifNotExists()
    .addColumn('number', 'integer', column => column.primaryKey().autoIncrement())
    .addColumn('id', 'text', column => column.notNull().unique())
    .addColumn('session', 'text', column => column.notNull())
    .addColumn('effect', 'text', column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .execute()
}

/** Can be repeated too. */
export async function createSessions(db: Kysely<unknown>): Promise<void> {
  const { bytes } = columnTypesOf(db)
  await db.schema
    .createTable('sessions')
    .ifNotExists()
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('version', 'integer', column => column.notNull())
    .addColumn('chart', 'integer')
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('deadline_at', 'bigint', column => column.notNull())
    .addColumn('due_at', 'bigint', column => column.notNull())
    .addColumn('snapshot', 'text')
    .addColumn('claim', 'text')
    .addColumn('claimed_body', bytes)
    .addColumn('answered_call', 'text')
    .addColumn('answered_version', 'integer')
    .addColumn('answered_at', 'bigint')
    .addColumn('answer', 'text')
    .addColumn('requestor_token_hash', 'text', column => column.notNull().unique())
    .addColumn('client_token', 'text', column => column.notNull())
    .addColumn('requestor_token', 'text', column => column.notNull())
    .addColumn('frontend_token', 'text', column => column.notNull())
    .addColumn('requestor', 'text', column => column.notNull())
    .addColumn('profile', 'text', column => column.notNull())
    .addColumn('request', 'text', column => column.notNull())
    .addColumn('nonce', 'text', column => column.notNull())
    .addColumn('pairing_code', 'text')
    .addColumn('client_authorization', 'text')
    .addColumn('result', 'text')
    .execute()
  await db.schema.createIndex('sessions_due_at').ifNotExists().on('sessions').column('due_at').execute()
  const answered = db.schema.createIndex('sessions_answered_at').ifNotExists().on('sessions')
  await answered.column('answered_at').where('answered_at', 'is not', null).execute()
}
