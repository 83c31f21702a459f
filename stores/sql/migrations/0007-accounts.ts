/** Creates accounts of a keyshare server, with their activity logs, addresses and mailed links. @module */
import type { Kysely } from 'kysely'
import { columnTypesOf } from '../column-types.ts'

/** Each statement can be repeated, because the process may be killed between two of them: they do not run in one transaction. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { bytes } = columnTypesOf(db)
  await db.schema
    .createTable('accounts')
    .ifNotExists()
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('version', 'integer', column => column.notNull())
    .addColumn('chart', 'integer')
    .addColumn('user_name', 'text', column => column.notNull())
    .addColumn('language', 'text', column => column.notNull())
    .addColumn('record', bytes)
    .addColumn('token_id_hash', 'text', column => column.unique())
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('blocked_until', 'bigint', column => column.notNull())
    .addColumn('delete_at', 'bigint')
    .addColumn('snapshot', 'text')
    .addColumn('challenge', bytes)
    .addColumn('last_key', 'text')
    .addColumn('hashed_comms', bytes)
    .addColumn('sealed_randomizer', bytes)
    .addColumn('due_at', 'bigint')
    .addColumn('seen_at', 'bigint', column => column.notNull())
    .execute()
  for (const time of ['due_at', 'delete_at'] as const) {
    const byTime = db.schema.createIndex(`accounts_${time}`).ifNotExists().on('accounts').column(time)
    await byTime.where(time, 'is not', null).execute()
  }
  await db.schema.createIndex('accounts_seen_at').ifNotExists().on('accounts').column('seen_at').execute()
  await createLog(db)
  await createAddresses(db)
  await createLinks(db)
}

async function createLog(db: Kysely<unknown>): Promise<void> {
  const { number, numbered } = columnTypesOf(db)
  await db.schema
    .createTable('account_log')
    .ifNotExists()
    .addColumn('number', number, numbered)
    .addColumn('account_id', 'text', column => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('at', 'bigint', column => column.notNull())
    .addColumn('event', 'text', column => column.notNull())
    .addColumn('param', 'bigint')
    .execute()
  const ofAccount = db.schema.createIndex('account_log_account').ifNotExists().on('account_log')
  await ofAccount.columns(['account_id', 'number']).execute()
}

async function createAddresses(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('account_addresses')
    .ifNotExists()
    .addColumn('account_id', 'text', column => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('address', 'text', column => column.notNull())
    .addColumn('delete_at', 'bigint')
    .addPrimaryKeyConstraint('account_addresses_key', ['account_id', 'address'])
    .execute()
  const byAddress = db.schema.createIndex('account_addresses_address').ifNotExists().on('account_addresses')
  await byAddress.column('address').execute()
  const byTime = db.schema.createIndex('account_addresses_delete_at').ifNotExists().on('account_addresses')
  await byTime.column('delete_at').where('delete_at', 'is not', null).execute()
}

async function createLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mail_links')
    .ifNotExists()
    .addColumn('token_hash', 'text', column => column.primaryKey())
    .addColumn('purpose', 'text', column => column.notNull())
    .addColumn('address', 'text', column => column.notNull())
    .addColumn('account_id', 'text', column => column.references('accounts.id').onDelete('cascade'))
    .addColumn('made_at', 'bigint', column => column.notNull())
    .addColumn('ends_at', 'bigint', column => column.notNull())
    .execute()
  const byAddress = db.schema.createIndex('mail_links_address').ifNotExists().on('mail_links')
  await byAddress.columns(['address', 'made_at']).execute()
  const ofAccount = db.schema.createIndex('mail_links_account').ifNotExists().on('mail_links')
  await ofAccount.column('account_id').where('account_id', 'is not', null).execute()
  await db.schema.createIndex('mail_links_ends_at').ifNotExists().on('mail_links').column('ends_at').execute()
}
