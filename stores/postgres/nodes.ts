/** The nodes of a database and their leases. Each node has a row with the end of its lease by the clock of the database, and renews it; so the clocks
 *  of nodes do not matter. All other times in the tables (ends of challenges, commitments and blocks, deadlines of deliveries) use the same clock
 *  (../time/shared-clock.ts). A node whose clock is far off is still refused, because JWTs and mails contain its system time. A node that was
 *  suspended until its lease ended commits nothing until it has renewed it. Every transaction checks the row, whose lease must outlast the
 *  transaction. @module */
import type { Clock, Timer } from '../../ports/clock.ts'
import type { WriteOutcomes } from '../outage.ts'
import type { Query } from '../sql/prepared-queries.ts'
import type { Nodes } from '../store.ts'
import { leaseExpired, StoreError } from '../store-error.ts'
import { LEASE_MS, readWell, renewalPauseMs } from '../time/renewals.ts'
import { StoreAhead } from '../time/store-ahead.ts'
import { type Database, MAX_PAUSE_MS, type Statements } from './database.ts'

/** The time after which the row of a dead node is deleted. */
const FORGOTTEN_MS = 24 * 3_600_000
/** The largest difference of clocks that is accepted. A difference that a late answer may explain does not count. */
const MAX_DIFFERENCE_MS = 10_000

/** Unix ms by the clock of the database. */
export const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** Selects a row if the lease of this node, $1, outlasts the longest transaction. */
export const OUTLASTING = `select 1 from nodes where boot_id = $1 and alive_until > ${NOW} + ${MAX_PAUSE_MS}`

const PROBE = 'create temporary table svc_probe on commit drop as select 1 as written'

export type NodesDeps = {
  readonly database: Pick<Database, 'all' | 'run' | 'transaction'>
  readonly writes: WriteOutcomes
  /** the name of the store, as a log may show it */
  readonly name: string
  readonly bootId: string
  readonly clock: Clock
  /** logs problems that an operator should fix */
  readonly warn: (message: string) => void
}

export class PostgresNodes implements Nodes {
  readonly isShared = true
  readonly #deps: NodesDeps
  readonly #ahead = new StoreAhead()
  #timer: Timer | null = null
  /** the last renewal that a timer started */
  #renewing: Promise<void> = Promise.resolve()
  #isReleased = false
  /** true: a difference of the clocks is logged */
  #isOff = false

  constructor(deps: NodesDeps) {
    this.#deps = deps
  }

  /** Starts the lease of this node.
   *  @throws {Error} with a message for an operator, also if the clocks differ */
  async open(): Promise<void> {
    const { database, name, warn } = this.#deps
    await this.#renew()
    const late = await readWell(this.#ahead, () => this.#renew())
    if (isTooMuch(this.#ahead))
      throw new Error(
        `store ${name}: expected the clocks of this machine and of the database to agree, got ${Math.round(this.aheadMs() / 1_000)} s between them: set them by NTP`,
      )
    if (late !== null) warn(`store ${name}: ${late}`)
    await database.run(query(`delete from nodes where alive_until < ${NOW} - $1`, FORGOTTEN_MS))
    this.#renewLater()
  }

  /** This node itself counts as alive only if its lease outlasts a transaction, because only then it may commit. Otherwise it is not ready. */
  async isAlive(bootId: string): Promise<boolean> {
    const { database, bootId: own } = this.#deps
    const alive = `select 1 from nodes where boot_id = $1 and alive_until > ${NOW}`
    return (await database.all(query(bootId === own ? OUTLASTING : alive, bootId))).length > 0
  }

  aheadMs(): number {
    return this.#ahead.ms()
  }

  /** To be called within a transaction, before its first write.
   *  @throws {StoreError} */
  async assertAlive({ all }: Statements): Promise<void> {
    if ((await all(query(OUTLASTING, this.#deps.bootId))).length === 0) throw this.stoodStill()
  }

  /** The error if the lease is not valid for long enough; nothing was committed. */
  stoodStill(): StoreError {
    return leaseExpired(this.#deps.name)
  }

  /** Deletes the row, so that other nodes see at once that this node is gone. If that fails, they see it at the end of the lease. */
  async release(): Promise<void> {
    const { database, bootId, clock } = this.#deps
    this.#isReleased = true
    if (this.#timer) clock.clearTimeout(this.#timer)
    await this.#renewing // or it could insert the row again
    try {
      await database.run(query('delete from nodes where boot_id = $1', bootId))
    } catch (error) {
      if (!(error instanceof StoreError)) throw error // the store has logged it
    }
  }

  #renewLater(): void {
    if (this.#isReleased) return
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.#renewing = this.#renewAgain()
    }, renewalPauseMs(this.#ahead))
  }

  async #renewAgain(): Promise<void> {
    const { name, warn, writes } = this.#deps
    try {
      const wasOff = this.#isOff
      await this.#renew()
      this.#isOff = isTooMuch(this.#ahead)
      if (this.#isOff && !wasOff)
        warn(
          `store ${name}: expected the clocks of this machine and of the database to agree, got more than ${MAX_DIFFERENCE_MS / 1_000} s between them: set them by NTP, then start this server again; until then deadlines are kept, and the times in what it signs are off`,
        )
      if (writes.refusesWrites) await this.#tryToWrite()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error // the store has logged it; the next renewal may succeed
      writes.failed(error)
    }
    this.#renewLater()
  }

  /** Tests if writes succeed again, because a node that is not ready gets no calls. A renewal is no test: it changes a row in place, which a full
   *  disk allows. A new table needs a new page.
   *  @throws {StoreError} */
  async #tryToWrite(): Promise<void> {
    const { database, writes } = this.#deps
    await database.transaction(async ({ run }) => {
      await run(query(PROBE))
      return false // rolls back
    })
    writes.succeeded()
  }

  async #renew(): Promise<void> {
    const { database, bootId, clock } = this.#deps
    const askedAt = clock.now()
    const renewal = `insert into nodes (boot_id, alive_until) values ($1, ${NOW} + $2)
      on conflict (boot_id) do update set alive_until = excluded.alive_until returning ${NOW} as now_at`
    const [row] = await database.all<{ now_at: number }>(query(renewal, bootId, LEASE_MS))
    if (row) this.#ahead.read({ askedAt, answeredAt: clock.now(), storeAt: row.now_at })
  }
}

function isTooMuch(ahead: StoreAhead): boolean {
  return Math.abs(ahead.ms()) - ahead.uncertainMs() > MAX_DIFFERENCE_MS
}

function query(sql: string, ...values: Query['values']): Query {
  return { sql, values }
}
