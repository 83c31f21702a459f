/** Brings the tables of a file up to date, one numbered migration after the other. @module */
import { type Kysely, Migrator } from 'kysely'
import type { Statements } from '../sqlite/statements.ts'
import * as sessions from './migrations/0001-sessions.ts'
import * as progress from './migrations/0002-progress.ts'
import * as deliveries from './migrations/0003-deliveries.ts'
import * as revocation from './migrations/0004-revocation.ts'
import * as sentUpdates from './migrations/0005-sent-updates.ts'
import * as owner from './migrations/0006-owner.ts'
import type { Tables } from './schema.ts'

/** In order of their names; one that was released is never changed. */
const MIGRATIONS = {
  '0001-sessions': sessions,
  '0002-progress': progress,
  '0003-deliveries': deliveries,
  '0004-revocation': revocation,
  '0005-sent-updates': sentUpdates,
  '0006-owner': owner,
}

/** @throws {Error} if a newer version has written the tables */
export function refuseNewer(statements: Statements, file: string): void {
  if (!hasTable(statements, 'kysely_migration')) return
  const [latest] = statements.all<{ name: string }>(
    'select name from kysely_migration order by name desc limit 1',
  )
  const known = Object.keys(MIGRATIONS).at(-1) ?? ''
  if (latest && latest.name > known)
    throw new Error(
      `store ${file}: made by a newer version: expected tables up to ${known}, got ${latest.name}: start that version, or name another file`,
    )
}

export function hasTable(statements: Statements, name: string): boolean {
  return statements.all('select name from sqlite_master where name = :name', { name }).length > 0
}

/** The one table that is needed before the file is held. */
export function makeOwnerTable(statements: Statements): void {
  for (const statement of owner.OWNER_TABLE) statements.run(statement)
}

/** @param db held, and not of a newer version */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
