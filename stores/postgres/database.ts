/** A PostgreSQL database through a pool of connections. Every statement has a time limit, a failed connection is not reused, and all failures are
 *  reported here. @module */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { Circuit } from '../circuit.ts'
import type { Health } from '../health.ts'
import { bindable } from '../sql/bindable.ts'
import type { Query } from '../sql/prepared-queries.ts'
import type { Tables } from '../sql/schema.ts'
import { StoreError } from '../store-error.ts'
import { failureOf, gaveNoAnswer } from './postgres-errors.ts'
import { Sockets } from './sockets.ts'

/** The maximum number of connections per node. A transaction of an account uses one for 1 ms. */
const MAX_CONNECTIONS = 10
/** The maximum time for getting a connection, and for the answer to a statement. A caller of the server gets an answer after 4 s, and nothing
 *  should be committed after that. */
const WAIT_MS = 3_000
/** The maximum pause within a transaction, after which the database ends it. So a node whose process was suspended commits nothing after that time
 *  (nodes.ts). */
export const MAX_PAUSE_MS = 5_000
/** The maximum time of a migration. */
const MIGRATION_MS = 600_000

const INT8 = 20
const BYTEA = 17
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number) => {
    if (id === INT8) return Number // the driver returns text; times and counts are far below 2^53
    if (id === BYTEA) return bytesOf
    return pg.types.getTypeParser(id)
  },
}

/** @param text `\\x` and hex digits */
function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex')) // a copy, because small buffers share their memory
}

/** Every row is found through an index, so plans that were made for empty tables stay good. */
const PLANS = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off'

/** These transactions are for accounts and revocation. They must survive a power cut, even if the database is configured to commit others
 *  asynchronously. */
const BEGIN = `begin; select set_config('synchronous_commit', 'on', true)
  where current_setting('synchronous_commit') in ('off', 'local', 'remote_write')`

/** Executes statements, alone or within a transaction. */
export type Statements = {
  /** @returns rows with the columns of the statement */
  readonly all: <Row>(query: Query) => Promise<Row[]>
  /** @returns the number of rows that changed */
  readonly run: (query: Query) => Promise<number>
}

export type PreparedStatement = {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** @param address `postgres://...`, secret
 *  @param sockets of its connections */
export function clientConfig(
  address: string,
  { create: stream }: Pick<Sockets, 'create'>,
  limitMs = WAIT_MS,
): pg.PoolConfig {
  return {
    connectionString: address,
    types,
    keepAlive: true,
    application_name: 'svc',
    options: PLANS,
    stream,
    connectionTimeoutMillis: WAIT_MS,
    statement_timeout: limitMs,
    query_timeout: limitMs + 500, // time limit in the client, because a database that hangs enforces none
    idle_in_transaction_session_timeout: MAX_PAUSE_MS,
  }
}

export class Database implements Statements {
  /** compiles statements */
  readonly db: Kysely<Tables>
  readonly #name: string
  readonly #pool: pg.Pool
  readonly #health: Health
  readonly #circuit: Circuit
  readonly #sockets = new Sockets()
  readonly #changed: () => void
  /** start time of the last server that was reached, which identifies it */
  #server: string | null = null
  #isClosed = false

  /** @param name as a log may show it
   *  @param changed called before the first statement on another server than before, which may lack commits of the old one */
  constructor(address: string, name: string, health: Health, changed: () => void = () => {}) {
    this.#name = name
    this.#health = health
    this.#changed = changed
    this.#circuit = new Circuit(name)
    this.#pool = new pg.Pool({
      ...clientConfig(address, this.#sockets),
      max: MAX_CONNECTIONS,
      onConnect: client => this.#recognise(client),
    })
    this.#pool.on('error', error => void this.failed(error)) // an idle connection has failed
    this.#pool.on('connect', client => client.on('error', () => {})) // the statement that uses the connection gets the same error
    this.db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: this.#pool }) })
  }

  all<Row>(query: Query): Promise<Row[]> {
    return this.#use(client => rowsOf<Row>(client, query))
  }

  run(query: Query): Promise<number> {
    return this.#use(client => changedBy(client, query))
  }

  /** Executes a statement that each connection prepares once, under its name.
   *  @returns rows with the columns of the statement */
  prepared<Row>({ name, text, values }: PreparedStatement): Promise<Row[]> {
    return this.#use(async client => {
      const { rows } = await client.query({ name, text, values: [...values] })
      return rows as Row[] // the tables have the columns that `migrate` made
    })
  }

  /** @param work its changes are rolled back if it throws, or resolves to false
   *  @returns the answer of the work, after the commit
   *  @throws {StoreError} if the database failed; unless `isUndone`, the commit may have succeeded
   *  @throws {StoreError} {TypeError} those of the work, unchanged; `failureOf` converts its other errors */
  transaction(work: (statements: Statements) => Promise<boolean>): Promise<boolean> {
    return this.#use(async client => {
      await client.query(BEGIN)
      const isDone = await work({
        all: query => rowsOf(client, query),
        run: query => changedBy(client, query),
      })
      await client.query(isDone ? 'commit' : 'rollback')
      return isDone
    })
  }

  /** True: several calls in a row got no answer. */
  get isGone(): boolean {
    return this.#circuit.isOpen
  }

  /** @returns the error to throw; after `close` it is not logged, because it is not a failure of the database */
  failed(error: unknown): Error {
    const failure = failureOf(this.#name, error)
    if (failure instanceof StoreError && !this.#isClosed) this.#health.failed(failure)
    return failure
  }

  /** Waits for calls that are already running, and closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#pool.end()
    this.#sockets.destroyAll()
  }

  async #recognise(client: pg.ClientBase): Promise<void> {
    const { rows } = await client.query('select pg_postmaster_start_time()::text as server')
    const known = this.#server
    this.#server = rows[0]?.server
    if (known !== null && known !== this.#server) this.#changed()
  }

  async #use<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    try {
      const result = await this.#circuit.run(() => this.#onConnection(work), gaveNoAnswer)
      this.#health.worked()
      return result
    } catch (error) {
      throw this.failed(error)
    }
  }

  /** After an error the connection is closed, which rolls back its open transaction. */
  async #onConnection<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect()
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(true)
      throw error
    }
  }
}

async function rowsOf<Row>(client: pg.PoolClient, { sql, values }: Query): Promise<Row[]> {
  const { rows } = await client.query(sql, values.map(bindable))
  return rows as Row[] // the tables have the columns that `migrate` made
}

async function changedBy(client: pg.PoolClient, { sql, values }: Query): Promise<number> {
  const { rowCount } = await client.query(sql, values.map(bindable))
  return rowCount ?? 0
}

/** Uses separate connections, because a migration may take longer than any other statement. */
export async function withMigrations<Result>(
  address: string,
  use: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const pool = new pg.Pool({ ...clientConfig(address, new Sockets(), MIGRATION_MS), max: 1 })
  pool.on('error', () => {}) // the running statement fails with the same error
  pool.on('connect', client => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await use(db)
  } finally {
    await db.destroy()
  }
}
