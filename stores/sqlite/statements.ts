/** SQLite through the interface of `node:sqlite`, which is part of Node since 22.5. Older versions use a package with the same interface. Statements are
 *  prepared once and reused. All calls are synchronous. @module */
import { closeSync, existsSync, openSync } from 'node:fs'
import type { DatabaseSync as DatabaseClass, StatementSyncInstance } from '@photostructure/sqlite'
import type { SqliteDatabase } from 'kysely'
import { type BindableValue, bindable } from '../sql/bindable.ts'
import type { Synchronous } from '../store-options.ts'
import type { StoreHealth } from './file/store-health.ts'

/** Far above the number of statements; if it is reached, all are prepared again. */
const MAX_STATEMENTS = 200

type Sqlite = { readonly DatabaseSync: typeof DatabaseClass }
export type Database = InstanceType<typeof DatabaseClass>

/** @param file created if it is missing, readable only by its owner, because it contains tokens and attributes */
export async function openSqlite(file: string): Promise<Database> {
  // the types of Node 20 lack this module of later versions
  const builtIn = process.getBuiltinModule('node:sqlite') as Sqlite | undefined
  const { DatabaseSync } = builtIn ?? (await import('@photostructure/sqlite'))
  createPrivate(file)
  return new DatabaseSync(file, { enableForeignKeyConstraints: true })
}

/** Does not open an existing file: closing it once would release all locks of this process on it. */
function createPrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'ax', 0o600))
}

/** Uses a write-ahead log. Without a sync per commit, a commit survives the end of the process, even by `kill -9`. A power cut may lose only the
 *  latest commits, and never a part of one. */
export function useWriteAheadLog(database: Database, synchronous: Synchronous): void {
  database.exec('pragma busy_timeout = 0') // SQLite would block the whole process while it waits for a lock
  database.exec('pragma journal_mode = wal')
  syncEachCommit(database, synchronous)
}

function syncEachCommit(database: Database, synchronous: Synchronous): void {
  database.exec(`pragma synchronous = ${synchronous}`)
}

/** The values of a compiled statement, in the order of its parameters, or of a statement with named parameters (`:name`). */
type Values = readonly unknown[] | Readonly<Record<string, unknown>>

/** The values in the form that the driver accepts. */
function bound(values: Values): (BindableValue | Record<string, BindableValue>)[] {
  if (Array.isArray(values)) return values.map(bindable)
  return [Object.fromEntries(Object.entries(values).map(([name, value]) => [name, bindable(value)]))]
}

/** Prepared statements by their text, because preparing one costs more than running it. */
export class Statements {
  readonly #database: Database
  readonly #health: Pick<StoreHealth, 'assertThere' | 'failed'>
  readonly #prepared = new Map<string, StatementSyncInstance>()

  constructor(database: Database, health: Pick<StoreHealth, 'assertThere' | 'failed'>) {
    this.#database = database
    this.#health = health
  }

  prepare(sql: string): StatementSyncInstance {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    if (this.#prepared.size >= MAX_STATEMENTS) this.#prepared.clear()
    this.#prepared.set(sql, statement)
    return statement
  }

  /** @returns rows with the columns of the statement
   *  @throws {StoreError} */
  all<Row>(sql: string, values: Values = []): Row[] {
    return this.#read(() => this.prepare(sql).all(...bound(values)) as Row[]) // the tables have the columns that `migrate` made
  }

  /** Must be called before a cached row is used, because cached rows are valid only while the file exists.
   *  @throws {StoreError} */
  assertReadable(): void {
    this.#read(() => {})
  }

  /** Sets how durable later commits are. Must not be called within a transaction. */
  sync(synchronous: Synchronous): void {
    syncEachCommit(this.#database, synchronous) // the pragma takes effect when it is prepared, so it is not cached
  }

  /** Must be called within a transaction, which reports the failures of all its statements.
   *  @returns the number of rows that changed */
  run(sql: string, values: Values = []): number {
    return Number(this.prepare(sql).run(...bound(values)).changes)
  }

  #read<T>(read: () => T): T {
    try {
      this.#health.assertThere()
      return read()
    } catch (error) {
      throw this.#health.failed(error)
    }
  }
}

/** For statements off the hot path: migrations. */
export function forKysely(database: Database, statements: Statements): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = statements.prepare(sql)
      return {
        reader: statement.columns().length > 0,
        all: values => statement.all(...bound(values)),
        run: values => statement.run(...bound(values)),
        iterate: values => statement.iterate(...bound(values)),
      }
    },
  }
}
