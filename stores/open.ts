/** Open the store that the settings name. @module */
import { createMemoryStore } from './memory.ts'
import type { SessionStore } from './session-store.ts'

const SQLITE = 'sqlite:'

async function openSqliteStore(file: string, bootId: string): Promise<SessionStore> {
  // kysely and the driver take 0.1 s to load, which a server in memory need not wait for
  const { Kysely, SqliteDialect } = await import('kysely')
  const { forKysely, openSqlite, Statements, useWriteAheadLog } = await import('./sql/sqlite.ts')
  const { migrate, SqliteSessionStore } = await import('./sql/session-store.ts')
  const { holdFile } = await import('./sql/single-process.ts')
  const release = await holdFile(file)
  try {
    const database = await openSqlite(file)
    useWriteAheadLog(database)
    const statements = new Statements(database)
    const db = new Kysely<import('./sql/schema.ts').Tables>({
      dialect: new SqliteDialect({ database: forKysely(database, statements) }),
    })
    await migrate(db)
    const close = () => db.destroy().then(release)
    return new SqliteSessionStore({ db, statements, bootId, close })
  } catch (error) {
    release()
    throw error
  }
}

/** @throws {Error} that says expected and got, for a name that names no store */
export function checkStoreName(name: string): void {
  // SQLite would take some names for no file at all
  const isFile = name.startsWith(SQLITE) && name !== SQLITE && name !== `${SQLITE}:memory:`
  if (name !== 'memory' && !isFile)
    throw new Error(`store: expected "memory" or "sqlite:FILE", got ${JSON.stringify(name)}`)
}

/** @param name `memory`, or `sqlite:FILE`
 *  @param bootId of this process: with SQLite the only one alive
 *  @throws {Error} that says expected and got */
export async function openStore(name: string, bootId: string): Promise<SessionStore> {
  checkStoreName(name)
  return name === 'memory' ? createMemoryStore() : openSqliteStore(name.slice(SQLITE.length), bootId)
}
