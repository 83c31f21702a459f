/** Runs the numbered migrations of the tables in order. @module */
import { type Kysely, type Migration, Migrator } from 'kysely'
import * as sessions from './migrations/0001-sessions.ts'
import * as progress from './migrations/0002-progress.ts'
import * as deliveries from './migrations/0003-deliveries.ts'
import * as revocation from './migrations/0004-revocation.ts'
import * as sentUpdates from './migrations/0005-sent-updates.ts'
import * as owner from './migrations/0006-owner.ts'
import * as accounts from './migrations/0007-accounts.ts'
import * as owedCounts from './migrations/0010-owed-counts.ts'
import * as movedTimes from './migrations/0011-moved-times.ts'
import * as oidc from './migrations/0012-oidc.ts'
import * as accountImports from './migrations/0013-account-imports.ts'
import type { Tables } from './schema.ts'

/** In the order of their names. A released migration never changes. Those of PostgreSQL are in stores/postgres/migrate-postgres.ts. */
export const SQLITE_MIGRATIONS = {
  '0001-sessions': sessions,
  '0002-progress': progress,
  '0003-deliveries': deliveries,
  '0004-revocation': revocation,
  '0005-sent-updates': sentUpdates,
  '0006-owner': owner,
  '0007-accounts': accounts,
  '0010-owed-counts': owedCounts,
  '0011-moved-times': movedTimes,
  '0012-oidc': oidc,
  '0013-account-imports': accountImports,
}

/** The name of the last migration of SQLite. */
export const LATEST = Object.keys(SQLITE_MIGRATIONS).at(-1) ?? ''

/** @param db not of a newer version; no other process changes its tables meanwhile */
export async function migrate(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
