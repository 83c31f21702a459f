/** Which nodes of a Redis server are alive: each has a key that the server forgets when its time is over, by the clock of the server, and which the node renews. A node
 *  whose key is gone commits nothing: every transaction looks at it (transaction.ts), and since the server runs a transaction at one moment, none outlasts the lease. A key is
 *  written also when the memory is full: otherwise a full server that was gone for longer than a lease would have no node that makes room. @module */
import type { Clock, Timer } from '../../ports/clock.ts'
import type { Writes } from '../outage.ts'
import type { Nodes } from '../store.ts'
import { StoreFailure } from '../store-failure.ts'
import { LEASE_MS, readWell, renewalPauseMs } from '../time/renewals.ts'
import { StoreAhead } from '../time/store-ahead.ts'
import type { Connection } from './connection.ts'
import type { Keys } from './keys.ts'

/** KEYS: the lease; ARGV: its length. Answers the time of the server, and whether the lease was there. A full server refuses a script at its first command that writes
 *  and needs memory, if at all: that is `pexpire`, which needs none. */
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
  /** the lease was gone, and is there again: this node stood still, or the data of the server is gone */
  readonly regained: () => Promise<void>
  readonly writes: Writes
  /** logs what an operator should mend */
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

  /** A command that is written and changes nothing but the end of the lease; it is answered with 0, and not written, if the lease is gone. */
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

  /** This node, which has renewed its lease once, says again and again that it is alive. */
  async open(): Promise<void> {
    const { connection, name, warn } = this.#deps
    const late = await readWell(this.#ahead, () => this.renew(connection))
    if (late !== null) warn(`store ${name}: ${late}`)
    this.#renewLater()
  }

  /** @returns whether its lease was there still */
  async renew(connection: Pick<Connection, 'ask'>): Promise<boolean> {
    const { clock } = this.#deps
    const askedAt = clock.now()
    const answer = await connection.ask(['EVAL', RENEWAL, '1', this.lease, String(LEASE_MS)])
    const [seconds, microseconds, renewed] = Array.isArray(answer) ? answer.map(Number) : []
    if (seconds === undefined || microseconds === undefined)
      throw new TypeError('a renewal: expected the time of the server, got another answer')
    const storeAt = seconds * 1_000 + microseconds / 1_000
    this.#ahead.read({ askedAt, answeredAt: clock.now(), storeAt })
    if (this.#timer) this.#renewLater() // a connection that was made again may have a server whose time is not known yet
    return renewed === 1
  }

  async renewAgain(): Promise<void> {
    const { connection, regained, writes } = this.#deps
    this.#clearTimer()
    try {
      if (!(await this.renew(connection))) await regained()
      if (writes.refusesWrites) await this.#tryToWrite()
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error // the store has logged it; the next one may succeed
      writes.failed(error)
    }
    this.#renewLater()
  }

  /** Others know at once that this node is gone; if that cannot be said, when its time is over. */
  async release(): Promise<void> {
    const { connection } = this.#deps
    this.#isReleased = true
    this.#clearTimer()
    try {
      await connection.ask(['DEL', this.lease])
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error // the store has logged it
    }
  }

  /** A node that is not ready gets no calls, so it tries by itself. A full server takes a renewal, and refuses this command.
   *  @throws {StoreFailure} */
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
