/** The nodes of a Redis server and their leases. Each node has a key that expires at the end of its lease, by the clock of the server, and renews it.
 *  A node whose key has expired commits nothing. Every transaction checks the key (transaction.ts), and no transaction outlasts the lease, because
 *  the server runs it at one moment. A key is written even if the memory is full. Otherwise, after an outage longer than a lease, no node could free
 *  memory on a full server. @module */
import type { Clock, Timer } from '../../ports/clock.ts'
import type { WriteOutcomes } from '../outage.ts'
import type { Nodes } from '../store.ts'
import { StoreError } from '../store-error.ts'
import { LEASE_MS, readWell, renewalPauseMs } from '../time/renewals.ts'
import { StoreAhead } from '../time/store-ahead.ts'
import type { Connection } from './connection.ts'
import type { Keys } from './keys.ts'

/** KEYS: the lease; ARGV: its length. Returns the time of the server, and 1 if the lease still existed. A full server refuses a script at its first
 *  write command that needs memory. Here the first one is `pexpire`, which needs none. */
const RENEWAL = `local renewed = redis.call('pexpire', KEYS[1], ARGV[1])
if renewed == 0 then redis.call('set', KEYS[1], '1', 'px', ARGV[1]) end
local time = redis.call('time')
return {time[1], time[2], renewed}`

export type NodesDeps = {
  readonly connection: Pick<Connection, 'ask'>
  /** the name of the store, as a log may show it */
  readonly name: string
  readonly keys: Keys
  readonly bootId: string
  readonly clock: Clock
  /** called when the lease had expired and is renewed: this node was suspended, or the server lost its data */
  readonly regained: () => Promise<void>
  readonly writes: WriteOutcomes
  /** logs problems that an operator should fix */
  readonly warn: (message: string) => void
}

export class RedisNodes implements Nodes {
  readonly isShared = true
  readonly #deps: NodesDeps
  readonly #ahead = new StoreAhead()
  #timer: Timer | null = null
  #isReleased = false

  constructor(deps: NodesDeps) {
    this.#deps = deps
  }

  get lease(): string {
    return this.#deps.keys.node(this.#deps.bootId)
  }

  /** A command that is replicated and changes only the end of the lease. If the lease has expired, it returns 0 and is not replicated. */
  get touch(): readonly string[] {
    return ['PEXPIRE', this.lease, String(LEASE_MS)]
  }

  async isAlive(bootId: string): Promise<boolean> {
    const { connection, keys } = this.#deps
    return (await connection.ask(['EXISTS', keys.node(bootId)])) === 1
  }

  aheadMs(): number {
    return this.#ahead.ms()
  }

  /** Starts periodic renewals; the lease was renewed once before. */
  async open(): Promise<void> {
    const { connection, name, warn } = this.#deps
    const late = await readWell(this.#ahead, () => this.renew(connection))
    if (late !== null) warn(`store ${name}: ${late}`)
    this.#renewLater()
  }

  /** @returns true if the lease had not expired */
  async renew(connection: Pick<Connection, 'ask'>): Promise<boolean> {
    const { clock } = this.#deps
    const askedAt = clock.now()
    const answer = await connection.ask(['EVAL', RENEWAL, '1', this.lease, String(LEASE_MS)])
    const [seconds, microseconds, renewed] = Array.isArray(answer) ? answer.map(Number) : []
    if (seconds === undefined || microseconds === undefined)
      throw new TypeError('a renewal: expected the time of the server, got another answer')
    const storeAt = seconds * 1_000 + microseconds / 1_000
    this.#ahead.read({ askedAt, answeredAt: clock.now(), storeAt })
    if (this.#timer) this.#renewLater() // after a reconnect the time of the server may be unknown, so the next pause is computed again
    return renewed === 1
  }

  async renewAgain(): Promise<void> {
    const { connection, regained, writes } = this.#deps
    this.#clearTimer()
    try {
      if (!(await this.renew(connection))) await regained()
      if (writes.refusesWrites) await this.#tryToWrite()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error // the store has logged it; the next renewal may succeed
      writes.failed(error)
    }
    this.#renewLater()
  }

  /** Deletes the lease, so that other nodes see at once that this node is gone. If that fails, they see it at the end of the lease. */
  async release(): Promise<void> {
    const { connection } = this.#deps
    this.#isReleased = true
    this.#clearTimer()
    try {
      await connection.ask(['DEL', this.lease])
    } catch (error) {
      if (!(error instanceof StoreError)) throw error // the store has logged it
    }
  }

  /** Tests if writes succeed again, because a node that is not ready gets no calls. A renewal is no test, because a full server accepts it but
   *  refuses this command.
   *  @throws {StoreError} */
  async #tryToWrite(): Promise<void> {
    const { connection, writes } = this.#deps
    await connection.ask(['SET', this.lease, '1', 'XX', 'PX', String(LEASE_MS)])
    writes.succeeded()
  }

  #renewLater(): void {
    this.#clearTimer()
    if (this.#isReleased) return
    this.#timer = this.#deps.clock.setTimeout(() => void this.renewAgain(), renewalPauseMs(this.#ahead))
  }

  #clearTimer(): void {
    if (this.#timer) this.#deps.clock.clearTimeout(this.#timer)
    this.#timer = null
  }
}
