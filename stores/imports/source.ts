/** The PostgreSQL database of another server, from which data is imported. It is only read: every transaction is read-only. @module */
import pg from 'pg'
import { shownDatabase } from '../postgres/shown-database.ts'
import { StoreError } from '../store-error.ts'

/** The maximum time of a statement. Some read a table without an index. */
const LIMIT_MS = 600_000
const CONNECT_MS = 10_000

const READ_ONLY = '-c default_transaction_read_only=on -c jit=off'
/** All statements of one batch see the same rows. */
const BEGIN = 'begin transaction isolation level repeatable read read only'

const BIG_INTEGER = 20
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === BIG_INTEGER ? (text: string) => text : pg.types.getTypeParser(id, format as 'text'), // exact, for times in ns
}

export type Table = {
  readonly schema: string | null
  readonly name: string
  readonly columns: readonly string[]
}

export class ImportSource {
  /** for messages */
  readonly name: string
  readonly #client: pg.Client

  private constructor(client: pg.Client, name: string) {
    this.#client = client
    this.name = name
  }

  /** @param address `postgres://...`, secret
   *  @param kind the kind of server with these tables, for messages
   *  @throws {Error} that says expected and got; it names the first missing table or column */
  static async open(address: string, tables: readonly Table[], kind: string): Promise<ImportSource> {
    const name = shownDatabase(address)
    const client = new pg.Client({
      connectionString: address,
      application_name: 'svc import',
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: LIMIT_MS,
      options: READ_ONLY,
      types,
    })
    client.on('error', () => {}) // the next statement fails with the same error
    const source = new ImportSource(client, name)
    await source.#attempt(() => client.connect())
    try {
      await source.#requireTables(tables, kind)
      return source
    } catch (error) {
      await source.close()
      throw error
    }
  }

  /** @returns rows with the columns of the statement; a `bigint` is decimal text */
  async all<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.#attempt(() => this.#client.query(text, [...values]))
    return rows as Row[] // `#requireTables` has found the columns
  }

  /** The statements of `read` see one state of the database. */
  async atOnce<Result>(read: () => Promise<Result>): Promise<Result> {
    await this.all(BEGIN)
    try {
      return await read()
    } finally {
      await this.all('rollback')
    }
  }

  async #requireTables(tables: readonly Table[], kind: string): Promise<void> {
    for (const { schema, name, columns } of tables) {
      const found = await this.all<{ column: string }>(
        `select column_name as column from information_schema.columns
          where table_name = $1 and table_schema = coalesce($2, current_schema())`,
        [name, schema],
      )
      const missing = columns.find(column => !found.some(row => row.column === column))
      if (missing !== undefined)
        throw new Error(
          `${this.name}: expected the tables of ${kind}, got no column "${missing}" of "${schema === null ? '' : `${schema}.`}${name}" that this user may read`,
        )
    }
  }

  close(): Promise<void> {
    return this.#client.end()
  }

  async #attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error) || error instanceof TypeError) throw error
      throw new StoreError(
        `${this.name}: expected to read the database, got ${JSON.stringify(error.message || String(error))}: see that it runs, that this machine reaches it, and that the address has a user who may read it, with the right password`,
      )
    }
  }
}
