/** SQLite through the interface of `node:sqlite`: built in from Node 22.5 on, a package of the same interface before. Statements are prepared once
 *  and kept; everything is synchronous. @module */
import { closeSync, existsSync, openSync } from 'node:fs'
import type { DatabaseSync as DatabaseClass, StatementSyncInstance } from '@photostructure/sqlite'
import type { SqliteDatabase } from 'kysely'
import { bindable, type Value } from '../sql/bindable.ts'
import type { Synchronous } from '../store-options.ts'
import type { StoreHealth } from './file/store-health.ts'

/** Far more than there are; past it all are prepared again. */
const MAX_STATEMENTS = 200

type Sqlite = { readonly DatabaseSync: typeof DatabaseClass }
export type Database = InstanceType<typeof DatabaseClass>

/** @param file made if need be, and then for its owner alone: it holds tokens and attributes */
export async function openSqlite(file: string): Promise<Database> {
  // the types of Node 20 do not know the module that later versions have
  const builtIn = process.getBuiltinModule('node:sqlite') as Sqlite | undefined
  const { DatabaseSync } = builtIn ?? (await import('@photostructure/sqlite'))
  createPrivate(file)
  return new DatabaseSync(file, { enableForeignKeyConstraints: true })
}

/** Does not touch a file that exists: closing it once would end every lock that this process has on it. */
function createPrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'ax', 0o600))
}

/** Write-ahead log. Without a sync per commit a commit survives the end of the process, also by `kill -9`; only a power cut may take the last ones, and
 *  never tears one. */
export function useWriteAheadLog(database: Database, synchronous: Synchronous): void {
  database.exec('pragma busy_timeout = 0') // SQLite would wait for a lock in the way of everything else
  database.exec('pragma journal_mode = wal')
  syncEachCommit(database, synchronous)
}

function syncEachCommit(database: Database, synchronous: Synchronous): void {
  database.exec(`pragma synchronous = ${synchronous}`)
}

/** The values of a statement that was compiled, each beside its parameter, or of one that names its parameters (`:name`). */
type Values = readonly unknown[] | Readonly<Record<string, unknown>>

/** As the driver takes them. */
function bound(values: Values): (Value | Record<string, Value>)[] {
  if (Array.isArray(values)) return values.map(bindable)
  return [Object.fromEntries(Object.entries(values).map(([name, value]) => [name, bindable(value)]))]
}

/** Prepared statements by their text: preparing one costs more than running it. */
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

  /** @returns rows of the form that the statement selects
   *  @throws {StoreFailure} */
  all<Row>(sql: string, values: Values = []): Row[] {
    return this.#read(() => this.prepare(sql).all(...bound(values)) as Row[]) // the tables are as `migrate` made them
  }

  /** What was read before and is still known counts only while the file is there.
   *  @throws {StoreFailure} */
  assertReadable(): void {
    this.#read(() => {})
  }

  /** What commits survive from now on; between transactions only. */
  sync(synchronous: Synchronous): void {
    syncEachCommit(this.#database, synchronous) // it takes effect when it is prepared, so it is prepared each time
  }

  /** Within a transaction, whose failures are reported as a whole.
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

/** For what is not on the hot path: migrations. */
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
