/** A PostgreSQL database through a pool of connections: every statement has a time limit, a connection that failed is not used again, and every failure
 *  passes here. @module */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { Circuit } from '../circuit.ts'
import type { Health } from '../health.ts'
import { bindable } from '../sql/bindable.ts'
import type { Query } from '../sql/prepared-queries.ts'
import type { Tables } from '../sql/schema.ts'
import { StoreFailure } from '../store-failure.ts'
import { failureOf, gaveNoAnswer } from './postgres-errors.ts'
import { Sockets } from './sockets.ts'

/** The most connections of one node. A transaction of an account holds one for 1 ms. */
const MAX_CONNECTIONS = 10
/** The longest wait for a connection, and for the answer to a statement: a call waits 4 s in all, and a commit that comes too late for it should not be made. */
const WAIT_MS = 3_000
/** The longest pause within a transaction; then the database ends it. Nodes whose process stood still have committed nothing after it (nodes.ts). */
export const MAX_PAUSE_MS = 5_000
/** The longest time of a migration. */
const MIGRATION_MS = 600_000

const INT8 = 20
const BYTEA = 17
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number) => {
    if (id === INT8) return Number // they come as text: times and counts are far below 2^53
    if (id === BYTEA) return bytesOf
    return pg.types.getTypeParser(id)
  },
}

/** @param text `\\x` and hex digits */
function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex')) // a copy, since small buffers share their memory
}

/** Every row is found by an index, and plans that were made while the tables were empty stay good. */
const PLANS = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off'

/** Transactions are those of accounts and of revocation, which a power cut must not take back, whatever the database does with others. */
const BEGIN = `begin; select set_config('synchronous_commit', 'on', true)
  where current_setting('synchronous_commit') in ('off', 'local', 'remote_write')`

/** What reads and writes, by itself or within a transaction. */
export type Statements = {
  /** @returns rows of the form that the statement selects */
  readonly all: <Row>(query: Query) => Promise<Row[]>
  /** @returns the number of rows that changed */
  readonly run: (query: Query) => Promise<number>
}

export type Prepared = { readonly name: string; readonly text: string; readonly values: readonly unknown[] }

/** @param address `postgres://...`, secret
 *  @param sockets of its connections */
export function clientConfig(
  address: string,
  { create: stream }: Pick<Sockets, 'create'>,
  limitMs = WAIT_MS,
): pg.PoolConfig {
  return {
    ...{ connectionString: address, types, keepAlive: true, application_name: 'svc', options: PLANS, stream },
    connectionTimeoutMillis: WAIT_MS,
    statement_timeout: limitMs,
    query_timeout: limitMs + 500, // a database that stands still ends nothing by itself
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
  /** when the server began to run that was reached last; no two are alike */
  #server: string | null = null
  #isClosed = false

  /** @param name as a log may show it
   *  @param changed is called before anything is asked of another server than before, which may lack what the other one had committed */
  constructor(address: string, name: string, health: Health, changed: () => void = () => {}) {
    this.#name = name
    this.#health = health
    this.#changed = changed
    this.#circuit = new Circuit(name)
    this.#pool = new pg.Pool({
      ...{ ...clientConfig(address, this.#sockets), max: MAX_CONNECTIONS },
      onConnect: client => this.#recognise(client),
    })
    this.#pool.on('error', error => void this.failed(error)) // a connection that nobody uses has failed
    this.#pool.on('connect', client => client.on('error', () => {})) // whoever uses it gets the same error
    this.db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: this.#pool }) })
  }

  all<Row>(query: Query): Promise<Row[]> {
    return this.#use(client => rowsOf<Row>(client, query))
  }

  run(query: Query): Promise<number> {
    return this.#use(client => changedBy(client, query))
  }

  /** A statement that each connection prepares once, under its name.
   *  @returns rows of the form that it selects */
  prepared<Row>({ name, text, values }: Prepared): Promise<Row[]> {
    return this.#use(async client => {
      const { rows } = await client.query({ name, text, values: [...values] })
      return rows as Row[] // the tables are as `migrate` made them
    })
  }

  /** @param work what it changed is undone if it throws, or answers false
   *  @returns what the work answers, once it is committed
   *  @throws {StoreFailure} then the outcome is unknown @throws {Error} what the work throws */
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

  /** Several calls in a row got no answer. */
  get isGone(): boolean {
    return this.#circuit.isOpen
  }

  /** @returns the error to throw; what is asked once it is closed is no failure of the database, and the log hears nothing of it */
  failed(error: unknown): Error {
    const failure = failureOf(this.#name, error)
    if (failure instanceof StoreFailure && !this.#isClosed) this.#health.failed(failure)
    return failure
  }

  /** What is asked for already is waited for, and nothing else. */
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

  /** A connection on which anything failed is closed, and with it whatever it had begun. */
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
  return rows as Row[] // the tables are as `migrate` made them
}

async function changedBy(client: pg.PoolClient, { sql, values }: Query): Promise<number> {
  const { rowCount } = await client.query(sql, values.map(bindable))
  return rowCount ?? 0
}

/** Connections of their own, since a migration may take longer than any other statement. */
export async function withMigrations<Result>(
  address: string,
  use: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const pool = new pg.Pool({ ...clientConfig(address, new Sockets(), MIGRATION_MS), max: 1 })
  pool.on('error', () => {}) // the statement that it had begun fails
  pool.on('connect', client => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await use(db)
  } finally {
    await db.destroy()
  }
}
