/** Migrates the tables of a PostgreSQL database. Nodes that start at the same time wait for each other: the migrations run in one transaction under a
 *  lock of the database. @module */
import { type Kysely, type Migration, sql } from 'kysely'
import { columnTypesOf } from '../sql/column-types.ts'
import { migrate } from '../sql/migrate.ts'
import { createSessions } from '../sql/migrations/0001-sessions.ts'
import * as deliveries from '../sql/migrations/0003-deliveries.ts'
import * as revocation from '../sql/migrations/0004-revocation.ts'
import * as accounts from '../sql/migrations/0007-accounts.ts'
import * as owedCounts from '../sql/migrations/0010-owed-counts.ts'
import * as oidc from '../sql/migrations/0012-oidc.ts'
import * as accountImports from '../sql/migrations/0013-account-imports.ts'
import type { Tables } from '../sql/schema.ts'
import { refuseOtherEncoding } from './encoding.ts'

const nodes: Migration = {
  async up(db) {
    await db.schema
      .createTable('nodes')
      .ifNotExists()
      .addColumn('boot_id', 'text', column => column.primaryKey())
      .addColumn('alive_until', 'bigint', column => column.notNull())
      .execute()
  },
}

/** The table of SQLite after all its migrations, plus the order in which sessions were inserted, which SQLite keeps by itself. */
const sessions: Migration = {
  async up(db) {
    const { number, sessionNumber } = columnTypesOf(db)
    await createSessions(db)
    await db.schema
      .alterTable('sessions')
      .addColumn('progress', 'text')
      .addColumn('sent_updates', 'text')
      .addColumn(sessionNumber, number, column => column.notNull().unique())
      .execute()
  },
}

/** In the order of their names. A released migration never changes. Migrations with the same position as in SQLite have the same name. */
const MIGRATIONS = {
  '0000-nodes': nodes,
  '0003-deliveries': deliveries,
  '0007-accounts': accounts,
  '0008-sessions': sessions,
  '0009-revocation': revocation,
  '0010-owed-counts': owedCounts,
  '0012-oidc': oidc,
  '0013-account-imports': accountImports,
}

/** The name of the last migration. */
export const LATEST_OF_POSTGRES = Object.keys(MIGRATIONS).at(-1) ?? ''

/** @param name of the store, as a log may show it
 *  @throws {Error} if the encoding is not UTF-8, or if a newer version migrated the tables */
export async function migratePostgres(db: Kysely<Tables>, name: string): Promise<void> {
  await refuseOtherEncoding(db, name)
  const latest = await latestIn(db)
  if (latest !== null && latest > LATEST_OF_POSTGRES)
    throw new Error(
      `store ${name}: made by a newer version: expected tables up to ${LATEST_OF_POSTGRES}, got ${latest}: start that version, or name another database`,
    )
  await migrate(db, MIGRATIONS)
}

/** @returns the name of the last migration in the database; null: there is none */
export async function latestIn(db: Kysely<Tables>): Promise<string | null> {
  const found = await sql<{
    has: boolean
  }>`select to_regclass('kysely_migration') is not null as has`.execute(db)
  if (!found.rows[0]?.has) return null
  const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db)
  return rows[0]?.name ?? null
}
