/** What the nodes of a database tell each other: which statuses a commit changed. All else is heard by the own node alone: a notification makes the commits of a
 *  database wait for each other. Notifications come in the order of commits, to the node that made them, too. One may be lost with the connection: once that is
 *  there again, whoever follows rows is told to read them again. @module */
import pg from 'pg'
import type { Clock, Timer } from '../../ports/clock.ts'
import type { StatusChange } from '../session-store.ts'
import type { Query } from '../sql/prepared-queries.ts'
import { fromJson } from '../sql/rows.ts'
import { clientConfig, type Database } from './database.ts'
import { Sockets } from './sockets.ts'

export const CHANNEL = 'svc_changes'
/** The pause before a connection that was lost is made again. */
const RECONNECT_MS = 1_000
/** The pause between two looks whether the connection is there still: a network may lose it without a word, and whoever only listens would never know. */
const LOOK_MS = 3_000

export type ChangesDeps = {
  /** `postgres://...`, secret */
  readonly address: string
  readonly database: Database
  readonly clock: Clock
  readonly heard: (change: StatusChange) => void
  /** called when it listens again after the connection was lost */
  readonly missed: () => void
}

/** The statement, within a transaction: everybody hears of it when that is committed. */
export function notification(change: StatusChange): Query {
  return { sql: 'select pg_notify($1, $2)', values: [CHANNEL, JSON.stringify(change)] }
}

export class Changes {
  readonly #deps: ChangesDeps
  /** of the one connection */
  readonly #sockets = new Sockets()
  #client: pg.Client | null = null
  /** until the next look, or until the connection is made again */
  #timer: Timer | null = null
  #isClosed = false

  constructor(deps: ChangesDeps) {
    this.#deps = deps
  }

  /** Listens from now on, again after each loss of the connection.
   *  @throws {StoreFailure} if it cannot now */
  async open(): Promise<void> {
    const { address, database, heard } = this.#deps
    const client = new pg.Client(clientConfig(address, this.#sockets))
    client.on('error', () => {}) // its end follows
    client.on('notification', ({ payload = '' }) => {
      for (const note of payload.split('\n')) {
        const change: StatusChange | null = fromJson(note)
        if (change !== null) heard(change)
      }
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      await this.#end(client)
      throw database.failed(error)
    }
    if (this.#isClosed) return this.#end(client)
    this.#client = client
    client.once('end', () => this.#openLater())
    this.#lookLater(client)
  }

  /** Whether what is committed now will be heard. */
  get isListening(): boolean {
    return this.#client !== null
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#clearTimer()
    if (this.#client) await this.#end(this.#client)
  }

  #clearTimer(): void {
    if (this.#timer) this.#deps.clock.clearTimeout(this.#timer)
    this.#timer = null
  }

  #lookLater(client: pg.Client): void {
    this.#timer = this.#deps.clock.setTimeout(() => {
      client.query('select 1').then(
        () => client === this.#client && this.#lookLater(client),
        () => this.#sockets.destroyAll(), // it fails in bounded time; the end of the connection follows
      )
    }, LOOK_MS)
  }

  async #openAgain(): Promise<void> {
    await this.open()
    if (!this.#isClosed) this.#deps.missed()
  }

  #openLater(): void {
    this.#client = null
    this.#clearTimer()
    if (this.#isClosed) return
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.#openAgain().catch(() => this.#openLater()) // the store has logged it
    }, RECONNECT_MS)
  }

  /** A connection that only listens is ended without a goodbye. */
  async #end(client: pg.Client): Promise<void> {
    this.#sockets.destroyAll()
    await client.end()
  }
}
