/** What the nodes of a database tell each other: which deliveries a commit of another node owes. Commits that owe nothing are heard by their own node alone:
 *  nobody else waits for them, and a notification makes commits wait for each other. A notification may be lost, with the connection or with its node;
 *  deliveries are found all the same, since every node looks for what is due every few seconds. @module */
import pg from 'pg'
import type { Clock, Timer } from '../../ports/clock.ts'
import { fromJson } from '../sql/rows.ts'
import { clientConfig, type Database, type Statements } from './database.ts'

const CHANNEL = 'svc_changes'
/** The pause before a connection that was lost is made again. */
const RECONNECT_MS = 1_000

export type Change = {
  readonly bootId: string
  /** the id of the account */
  readonly id: string
  /** ids of deliveries */
  readonly owed: readonly string[]
}

export type ChangesDeps = {
  /** `postgres://...`, secret */
  readonly address: string
  readonly database: Database
  readonly clock: Clock
  readonly heard: (change: Change) => void
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

  #openLater(): void {
    this.#client = null
    if (this.#isClosed) return
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.open().catch(() => this.#openLater()) // the store has logged it
    }, RECONNECT_MS)
  }
}

/** A connection that was never made, or is lost, has ended. */
async function end(client: pg.Client): Promise<void> {
  await client.end().catch(() => {})
}
