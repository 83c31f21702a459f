/** A store of sessions, deliveries, revocation and the OpenID provider in one Redis or Valkey server, for any number of nodes. It holds no accounts. @module */
import type { Outage, WriteOutcomes } from '../outage.ts'
import type { Commit, CommitListener, SessionServerStore } from '../store.ts'
import { leaseExpired } from '../store-error.ts'
import type { Changes } from './changes.ts'
import type { Connection } from './connection.ts'
import { RedisDeliveries } from './deliveries.ts'
import type { RedisNodes } from './nodes.ts'
import { RedisOidc } from './oidc.ts'
import type { RedisPart } from './part.ts'
import { codeOf } from './redis-errors.ts'
import type { Replicas } from './replicas.ts'
import { RedisRevocation } from './revocation.ts'
import { RedisSessions } from './sessions.ts'
import {
  argumentsOf,
  type Change,
  type CheckFailure,
  joined,
  outcomeOf,
  TRANSACTION,
  TRANSACTION_SHA,
  type TransactionOutcome,
} from './transaction.ts'

export type RedisStoreDeps = {
  /** as a log may show it */
  readonly name: string
  readonly connection: Pick<Connection, 'ask'>
  readonly part: RedisPart
  readonly nodes: RedisNodes
  readonly writes: WriteOutcomes
  readonly replicas: Replicas
  readonly changes: Changes
  /** releases the lease and closes the connection */
  readonly close: () => Promise<void>
}

export class RedisStore implements SessionServerStore {
  readonly sessions: RedisSessions
  readonly deliveries: RedisDeliveries
  readonly revocation: RedisRevocation
  readonly oidc: RedisOidc
  readonly nodes: RedisNodes
  readonly outage: Outage
  readonly #deps: RedisStoreDeps

  constructor(deps: RedisStoreDeps) {
    const { part, nodes } = deps
    this.#deps = deps
    this.nodes = nodes
    this.outage = deps.writes
    this.sessions = new RedisSessions(part)
    // added first, so that all other subscribers read the stored row afterwards
    deps.changes.subscribe((_id, change) => change && this.sessions.notify(change))
    this.deliveries = new RedisDeliveries(part)
    this.oidc = new RedisOidc(part)
    this.revocation = new RedisRevocation({ part, commit: change => this.#commitChange(change) })
  }

  async commit(commit: Omit<Commit, 'account'>): Promise<boolean> {
    const { session, inserts = {} } = commit
    const { change = null, owed } = inserts
    let isMade = false
    try {
      isMade = await this.#commitAll(commit)
    } finally {
      if (session) this.sessions.forget(session.id)
      if (change) this.#deps.changes.over(change, isMade)
    }
    if (!isMade || !session) return isMade
    this.sessions.keep(session, inserts)
    if (change === null) this.#deps.changes.notify(session.id, null, owed)
    return true
  }

  subscribe(listener: CommitListener, missed?: () => void): () => void {
    return this.#deps.changes.subscribe(listener, missed)
  }

  close(): Promise<void> {
    return this.#deps.close()
  }

  /** @returns false if another version is stored */
  async #commitAll(commit: Omit<Commit, 'account'>): Promise<boolean> {
    const change = await this.#changeOf(commit)
    if (change === null) return false
    const outcome = await this.#commitChange(change)
    if (outcome !== 'exists') return outcome === 'committed'
    throw new Error(`store ${this.#deps.name}: expected rows that are new, got one that is stored already`)
  }

  /** @returns null: another version is stored */
  async #changeOf({
    session,
    delivery,
    oidc,
    accumulators = [],
    inserts = {},
  }: Omit<Commit, 'account'>): Promise<Change | null> {
    const parts = await Promise.all([
      ...(session ? [this.sessions.setting(session)] : []),
      ...(delivery ? [this.deliveries.setting(delivery)] : []),
      ...accumulators.map(each => this.revocation.setting(each)),
    ])
    const set = parts.filter(part => part !== null)
    if (set.length < parts.length) return null
    const { sessions = [], owed = [], change } = inserts
    return joined([
      ...set,
      ...(oidc ? [this.oidc.setting(oidc)] : []),
      ...sessions.map(row => this.sessions.inserting(row)),
      ...owed.map(row => this.deliveries.inserting(row)),
      { checks: [], writes: change ? [this.#deps.changes.publishing(change, owed)] : [] },
    ])
  }

  /** @throws {StoreError} if the outcome is unknown, or the lease of this node has expired */
  async #commitChange(change: Change): Promise<'committed' | CheckFailure> {
    const { name, nodes } = this.#deps
    const outcome = await this.#write(change)
    if (outcome !== 'fenced') return outcome
    void nodes.renewAgain()
    throw leaseExpired(name)
  }

  /** @throws {StoreError} the outcome is unknown */
  async #write(change: Change): Promise<TransactionOutcome> {
    const { replicas, writes } = this.#deps
    try {
      const outcome = await this.#run(change)
      if (outcome !== 'committed') return outcome
      writes.succeeded()
      await replicas.haveOwn()
      return outcome
    } catch (error) {
      writes.failed(error)
      throw error
    }
  }

  /** @throws {StoreError} the outcome is unknown */
  async #run(change: Change): Promise<TransactionOutcome> {
    const { connection, nodes } = this.#deps
    const words = ['1', nodes.lease, ...argumentsOf(change)]
    try {
      return outcomeOf(await connection.ask(['EVALSHA', TRANSACTION_SHA, ...words]))
    } catch (error) {
      if (codeOf(error) !== 'NOSCRIPT') throw error
      return outcomeOf(await connection.ask(['EVAL', TRANSACTION, ...words])) // the server did not have the script, and caches it from now on
    }
  }
}
