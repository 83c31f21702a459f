/** Which nodes of a database are alive: each has a row with the time until which it counts as alive, and renews it. That time is of the clock of the database,
 *  so that no node's own clock matters for it. All other times in the tables (ends of challenges, commitments and blocks, deadlines of deliveries) are
 *  counted by the same clock (../time/shared-clock.ts). A node whose clock is far off is refused all the same, since what others read (JWTs, mails) bears the
 *  time of its system. A node whose process stood still until its time was over commits nothing before it has renewed it: every transaction looks at the row, whose time must outlast the transaction. @module */
import type { Clock, Timer } from '../../ports/clock.ts'
import type { Writes } from '../outage.ts'
import type { Query } from '../sql/prepared-queries.ts'
import type { Nodes } from '../store.ts'
import { StoreFailure } from '../store-failure.ts'
import { LEASE_MS, readWell, renewalPauseMs } from '../time/renewals.ts'
import { StoreAhead } from '../time/store-ahead.ts'
import { type Database, MAX_PAUSE_MS, type Statements } from './database.ts'

/** The stay of a row whose node is gone. */
const FORGOTTEN_MS = 24 * 3_600_000
/** The largest difference of clocks that is taken for none. What may be due to a late answer is no difference. */
const MAX_DIFFERENCE_MS = 10_000

/** Unix ms by the clock of the database. */
export const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** A row if this node, $1, is alive for longer than a transaction can take. */
export const OUTLASTING = `select 1 from nodes where boot_id = $1 and alive_until > ${NOW} + ${MAX_PAUSE_MS}`

const PROBE = 'create temporary table svc_probe on commit drop as select 1 as written'

export type NodesDeps = {
  readonly database: Pick<Database, 'all' | 'run' | 'transaction'>
  readonly writes: Writes
  /** the name of the store, as a log may show it */
  readonly name: string
  readonly bootId: string
  readonly clock: Clock
  /** logs what an operator should mend */
  readonly warn: (message: string) => void
}

export class PostgresNodes implements Nodes {
  readonly isShared = true
  readonly #deps: NodesDeps
  readonly #ahead = new StoreAhead()
  #timer: Timer | null = null
  /** the last one that a timer began, until it has ended */
  #renewing: Promise<void> = Promise.resolve()
  #isReleased = false
  /** the log knows that the clocks differ */
  #isOff = false

  constructor(deps: NodesDeps) {
    this.#deps = deps
  }

  /** This node is alive from now on.
   *  @throws {Error} in words for an operator, also if its clock differs */
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

  /** This node itself is alive while it may commit: its lease must outlast a transaction. It is not ready otherwise. */
  async isAlive(bootId: string): Promise<boolean> {
    const { database, bootId: own } = this.#deps
    const alive = `select 1 from nodes where boot_id = $1 and alive_until > ${NOW}`
    return (await database.all(query(bootId === own ? OUTLASTING : alive, bootId))).length > 0
  }

  aheadMs(): number {
    return this.#ahead.ms()
  }

  /** Within a transaction, before anything is written.
   *  @throws {StoreFailure} */
  async assertAlive({ all }: Statements): Promise<void> {
    if ((await all(query(OUTLASTING, this.#deps.bootId))).length === 0) throw this.stoodStill()
  }

  /** Nothing was committed: this node is not alive for long enough. */
  stoodStill(): StoreFailure {
    return new StoreFailure(
      `store ${this.#deps.name}: expected this node to have said in time that it is alive, got a node that stood still: it commits nothing before it has`,
    )
  }

  /** Others know at once that this node is gone; if that cannot be written, when its time is over. */
  async release(): Promise<void> {
    const { database, bootId, clock } = this.#deps
    this.#isReleased = true
    if (this.#timer) clock.clearTimeout(this.#timer)
    await this.#renewing // or it might write the row again
    try {
      await database.run(query('delete from nodes where boot_id = $1', bootId))
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error // the store has logged it
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
      if (!(error instanceof StoreFailure)) throw error // the store has logged it; the next one may succeed
      writes.failed(error)
    }
    this.#renewLater()
  }

  /** A node that is not ready gets no calls, so it tries by itself. A full disk takes a renewal, which changes a row in its place. A new table needs a new page.
   *  @throws {StoreFailure} */
  async #tryToWrite(): Promise<void> {
    const { database, writes } = this.#deps
    await database.transaction(async ({ run }) => {
      await run(query(PROBE))
      return false // it is rolled back
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
