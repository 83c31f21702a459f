/** Notifications between the nodes of a database about changed statuses. Other changes are published only within the node, because a notification
 *  makes the commits of a database wait for each other. Notifications arrive in the order of commits, also at the node that made them. One may be
 *  lost with the connection; after a reconnect all followed rows must be read again. @module */
import pg from 'pg'
import type { Clock, Timer } from '../../ports/clock.ts'
import type { StatusChange } from '../session-store.ts'
import type { Query } from '../sql/prepared-queries.ts'
import { fromJson } from '../sql/rows.ts'
import { clientConfig, type Database } from './database.ts'
import { Sockets } from './sockets.ts'

export const CHANNEL = 'svc_changes'
/** The pause before a lost connection is opened again. */
const RECONNECT_MS = 1_000
/** The pause between two checks of the connection. A network may drop it silently, and a client that only listens would not notice. */
const LOOK_MS = 3_000

export type ChangesDeps = {
  /** `postgres://...`, secret */
  readonly address: string
  readonly database: Database
  readonly clock: Clock
  readonly notify: (change: StatusChange) => void
  /** called when it listens again after the connection was lost */
  readonly missed: () => void
}

/** The statement for a transaction; all nodes are notified when the transaction is committed. */
export function notification(change: StatusChange): Query {
  return { sql: 'select pg_notify($1, $2)', values: [CHANNEL, JSON.stringify(change)] }
}

export class Changes {
  readonly #deps: ChangesDeps
  /** of the only connection */
  readonly #sockets = new Sockets()
  #client: pg.Client | null = null
  /** for the next check, or for the next attempt to connect */
  #timer: Timer | null = null
  #isClosed = false

  constructor(deps: ChangesDeps) {
    this.#deps = deps
  }

  /** Starts to listen, and listens again after each loss of the connection.
   *  @throws {StoreError} if the first connection fails */
  async open(): Promise<void> {
    const { address, database, notify: heard } = this.#deps
    const client = new pg.Client(clientConfig(address, this.#sockets))
    client.on('error', () => {}) // the event `end` follows
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

  /** True if notifications of commits from now on will arrive. */
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
        () => this.#sockets.destroyAll(), // the check has a time limit; the event `end` follows
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

  /** Closes the connection without a Terminate message, because it only listens. */
  async #end(client: pg.Client): Promise<void> {
    this.#sockets.destroyAll()
    await client.end()
  }
}
