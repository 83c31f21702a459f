/** Open the store that the settings name. @module */
import { existsSync } from 'node:fs'
import type { DeliveryStore } from './delivery-store.ts'
import { createMemoryStore } from './memory.ts'
import type { SessionStore } from './session-store.ts'

const SQLITE = 'sqlite:'

async function openDatabase(file: string) {
  // kysely and the driver take 0.1 s to load, which a server in memory need not wait for
  const { Kysely, SqliteDialect } = await import('kysely')
  const { forKysely, openSqlite, Statements, useWriteAheadLog } = await import('./sql/sqlite.ts')
  const database = await openSqlite(file)
  useWriteAheadLog(database)
  const statements = new Statements(database)
  const db = new Kysely<import('./sql/schema.ts').Tables>({
    dialect: new SqliteDialect({ database: forKysely(database, statements) }),
  })
  return { db, statements }
}

async function openSqliteStore(file: string, bootId: string): Promise<SessionStore> {
  const { migrate, SqliteSessionStore } = await import('./sql/session-store.ts')
  const { holdFile } = await import('./sql/single-process.ts')
  const release = await holdFile(file)
  try {
    const { db, statements } = await openDatabase(file)
    await migrate(db)
    const close = () => db.destroy().then(release)
    return new SqliteSessionStore({ db, statements, bootId, close })
  } catch (error) {
    release()
    throw error
  }
}

/** The deliveries of a store, beside the process that may be running on it: its lock is not asked for, and its tables are taken as they are.
 *  @param name as of `openStore`
 *  @throws {Error} that says expected and got */
export async function openDeliveries(
  name: string,
): Promise<{ readonly deliveries: DeliveryStore; readonly close: () => Promise<void> }> {
  checkStoreName(name)
  const file = name.slice(SQLITE.length)
  if (name === 'memory' || !existsSync(file))
    throw new Error(`store: expected the SQLite file of a server, got ${JSON.stringify(name)}`)
  const { GroupCommit } = await import('./sql/group-commit.ts')
  const { SqliteDeliveryStore } = await import('./sql/delivery-store.ts')
  const { db, statements } = await openDatabase(file)
  const close = () => db.destroy()
  if (statements.all("select name from sqlite_master where name = 'deliveries'", []).length === 0) {
    await close()
    throw new Error('store: expected one that a server of this version has opened, got another')
  }
  return {
    deliveries: new SqliteDeliveryStore({ db, statements, commits: new GroupCommit(statements) }),
    close,
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
