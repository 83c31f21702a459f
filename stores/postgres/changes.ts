/** What the nodes of a database tell each other: which statuses a commit of another node changed, and which deliveries it owes. All else is heard by the own
 *  node alone: a notification makes commits wait for each other. Notifications come in the order of commits. One may be lost with the connection: once that is
 *  there again, whoever follows rows is told to read them again. @module */
import pg from 'pg'
import type { Clock, Timer } from '../../ports/clock.ts'
import type { StatusChange } from '../session-store.ts'
import { fromJson } from '../sql/rows.ts'
import { clientConfig, type Database, type Statements } from './database.ts'

const CHANNEL = 'svc_changes'
/** The pause before a connection that was lost is made again. */
const RECONNECT_MS = 1_000

export type Change = {
  readonly bootId: string
  /** the id of the session or the account */
  readonly id: string
  readonly change: StatusChange | null
  /** ids of deliveries */
  readonly owed: readonly string[]
}

export type ChangesDeps = {
  /** `postgres://...`, secret */
  readonly address: string
  readonly database: Database
  readonly clock: Clock
  readonly heard: (change: Change) => void
  /** called when it listens again after the connection was lost */
  readonly missed: () => void
}

/** Within a transaction: the others hear of it when it is committed. */
export async function notify({ all }: Statements, change: Change): Promise<void> {
  await all({ sql: 'select pg_notify($1, $2)', values: [CHANNEL, JSON.stringify(change)] })
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
    client.on('notification', ({ payload }) => {
      const change: Change | null = fromJson(payload ?? null)
      if (change !== null) heard(change)
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
