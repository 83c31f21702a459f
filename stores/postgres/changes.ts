/** What the nodes of a database tell each other: which statuses a commit changed. All else is heard by the own node alone: a notification makes the commits of a
 *  database wait for each other. Notifications come in the order of commits, to the node that made them, too. One may be lost with the connection: once that is
 *  there again, whoever follows rows is told to read them again. @module */
import pg from 'pg'
import type { Clock, Timer } from '../../ports/clock.ts'
import type { StatusChange } from '../session-store.ts'
import type { Query } from '../sql/prepared-queries.ts'
import { fromJson } from '../sql/rows.ts'
import { clientConfig, type Database } from './database.ts'

export const CHANNEL = 'svc_changes'
/** The pause before a connection that was lost is made again. */
const RECONNECT_MS = 1_000

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
  #client: pg.Client | null = null
  #timer: Timer | null = null
  #isClosed = false

  constructor(deps: ChangesDeps) {
    this.#deps = deps
  }

  /** Listens from now on, again after each loss of the connection.
   *  @throws {StoreFailure} if it cannot now */
  async open(): Promise<void> {
    const { address, database, heard } = this.#deps
    const client = new pg.Client(clientConfig(address))
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
      await end(client)
      throw database.failed(error)
    }
    if (this.#isClosed) return end(client)
    this.#client = client
    client.once('end', () => this.#openLater())
  }

  /** Whether what is committed now will be heard. */
  get isListening(): boolean {
    return this.#client !== null
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) this.#deps.clock.clearTimeout(this.#timer)
    if (this.#client) await end(this.#client)
  }

  async #openAgain(): Promise<void> {
    await this.open()
    if (!this.#isClosed) this.#deps.missed()
  }

  #openLater(): void {
    this.#client = null
    if (this.#isClosed) return
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.#openAgain().catch(() => this.#openLater()) // the store has logged it
    }, RECONNECT_MS)
  }
}

/** A connection that was never made, or is lost, has ended. */
async function end(client: pg.Client): Promise<void> {
  await client.end().catch(() => {})
}
