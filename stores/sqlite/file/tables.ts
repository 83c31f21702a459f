/** Checks the tables of a file before anything is written to it. @module */
import { LATEST } from '../../sql/migrate.ts'
import { OWNER_TABLE } from '../../sql/migrations/0006-owner.ts'
import type { Statements } from '../statements.ts'

/** @throws {Error} if a newer version made the tables */
export function refuseNewer(statements: Statements, file: string): void {
  if (!hasTable(statements, 'kysely_migration')) return
  const [latest] = statements.all<{ name: string }>(
    'select name from kysely_migration order by name desc limit 1',
  )
  if (latest && latest.name > LATEST)
    throw new Error(
      `store ${file}: made by a newer version: expected tables up to ${LATEST}, got ${latest.name}: start that version, or name another file`,
    )
}

export function hasTable(statements: Statements, name: string): boolean {
  return statements.all('select name from sqlite_master where name = :name', { name }).length > 0
}

/** Creates the table of the file's owner. It is needed before a process becomes the owner (`holdFile`); all other tables are created afterwards. */
export function makeOwnerTable(statements: Statements): void {
  for (const statement of OWNER_TABLE) statements.run(statement)
}
