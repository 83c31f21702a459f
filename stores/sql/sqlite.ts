/** SQLite for kysely, through the interface of `node:sqlite`: built in from Node 22.5 on, a package of the same interface before. @module */
import type { DatabaseSync as DatabaseClass } from '@photostructure/sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { LRUCache } from 'lru-cache'

/** kysely prepares anew at each call; a prepared statement costs more than running it. */
const CACHED_STATEMENTS = 200
/** How long a writer waits for another process that reads or copies the file; it blocks this one. */
const BUSY_TIMEOUT_MS = 250

type Sqlite = { readonly DatabaseSync: typeof DatabaseClass }
export type Database = InstanceType<typeof DatabaseClass>
type Value = string | number | bigint | null | Uint8Array

function isValue(value: unknown): value is Value {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value instanceof Uint8Array
  )
}

function bindable(values: readonly unknown[]): Value[] {
  if (!values.every(isValue)) throw new TypeError('SQLite: expected text, numbers, null or bytes to bind')
  return [...values]
}

/** @param file a path, or ':memory:' */
export async function openSqlite(file: string): Promise<Database> {
  // the types of Node 20 do not know the module that later versions have
  const builtIn = process.getBuiltinModule('node:sqlite') as Sqlite | undefined
  const { DatabaseSync } = builtIn ?? (await import('@photostructure/sqlite'))
  return new DatabaseSync(file)
}

/** Write-ahead log without a sync per commit: a commit survives the end of the process, also by `kill -9`; only a power cut may take the
 *  last ones, and never tears one. */
export function useWriteAheadLog(database: Database): void {
  database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`)
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = normal')
}

export function forKysely(database: Database): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: CACHED_STATEMENTS })
  const prepare = (sql: string): SqliteStatement => {
    const statement = database.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: values => statement.all(...bindable(values)),
      run: values => statement.run(...bindable(values)),
      iterate: values => statement.iterate(...bindable(values)),
    }
  }
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql) ?? prepare(sql)
      statements.set(sql, known)
      return known
    },
  }
}
