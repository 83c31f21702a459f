/** Opens a Redis or Valkey server for one of its nodes. @module */
import { Health } from '../health.ts'
import { WriteOutcomes } from '../outage.ts'
import type { SessionServerStore } from '../store.ts'
import { StoreError } from '../store-error.ts'
import type { StoreOptions } from '../store-options.ts'
import { parseRedisAddress, REDIS_FORMS, type RedisAddress, type RedisOptions, whoAsks } from './address.ts'
import { Changes } from './changes.ts'
import { Connection } from './connection.ts'
import { findServer } from './find-server.ts'
import { Keys } from './keys.ts'
import { RedisNodes } from './nodes.ts'
import { RedisPart } from './part.ts'
import { Replicas } from './replicas.ts'
import { askFacts, refusalOf, warningsOf } from './server-checks.ts'
import { RedisStore } from './store.ts'

export type OpenRedisOptions = Required<Pick<StoreOptions, 'clock' | 'tell' | 'warn'>> & {
  readonly redis: RedisOptions
  /** true: only this store knows which credentials are revoked */
  readonly isAuthority: boolean
}

/** @param text `redis://...`, secret
 *  @throws {Error} that says expected and got */
export async function openRedisStore(
  text: string,
  bootId: string,
  options: OpenRedisOptions,
): Promise<SessionServerStore> {
  const address = parseRedisAddress(text)
  if (address === null) throw new Error(`store: expected ${REDIS_FORMS}, got another address`)
  const opening = new Opening(address, bootId, options)
  try {
    await opening.connection.open()
    await opening.nodes.open()
    return opening.store
  } catch (error) {
    opening.connection.close()
    throw error
  }
}

/** KEYS: the name of the server's data; ARGV: a new name, used if there is none. Returns the name. */
const NAME_ORIGIN = `#!lua flags=allow-oom
redis.call('set', KEYS[1], ARGV[1], 'nx')
return redis.call('get', KEYS[1])`

/** The parts of an open store, which refer to each other. */
class Opening {
  readonly connection: Connection
  readonly nodes: RedisNodes
  readonly store: RedisStore
  readonly #name: string
  readonly #keys: Keys
  readonly #options: OpenRedisOptions
  readonly #place: RedisAddress['place']
  /** name of the server's data; null: not read yet */
  #origin: string | null = null
  #openings = 0

  constructor(address: RedisAddress, bootId: string, options: OpenRedisOptions) {
    const { name, database, place } = address
    const { clock, redis, tell, warn } = options
    const health = new Health(name, clock, tell)
    const credentials = whoAsks(address, redis)
    const keys = new Keys(redis.hasKeyPrefix ? `${credentials.username}:` : '', database)
    this.#name = name
    this.#keys = keys
    this.#options = options
    this.#place = place
    const connection = new Connection({
      name,
      clock,
      health,
      channel: keys.channel,
      find: () => findServer(address, credentials, redis, clock),
      notify: message => changes.notifyMessage(message),
      ready: made => this.#ready(made, bootId),
      missed: () => missed(),
    })
    const regained = async (): Promise<void> => {
      if (await this.#hasLostData(connection, bootId)) missed()
    }
    const writes = new WriteOutcomes(() => connection.isGone)
    const nodes = new RedisNodes({ connection, name, keys, bootId, clock, regained, warn, writes })
    const failed = (failure: StoreError): void => health.failed(failure)
    const { touch } = nodes
    const replicas = new Replicas({ connection, wanted: redis.replicas, touch, failed, name })
    const isConnected = (): boolean => connection.isOpen
    const changes = new Changes({ bootId, channel: keys.channel, replicas, isConnected })
    const part = new RedisPart({ keys, connection, replicas, clock })
    const close = async (): Promise<void> => {
      await nodes.release()
      connection.close()
    }
    const store = new RedisStore({ name, connection, part, nodes, writes, replicas, changes, close })
    const missed = (): void => {
      store.sessions.forgetAll()
      changes.missed()
    }
    this.connection = connection
    this.nodes = nodes
    this.store = store
  }

  /** Checks the requirements of the store on each new connection, because the same address may lead to another server now. */
  async #ready(connection: Pick<Connection, 'ask'>, bootId: string): Promise<void> {
    const { redis, isAuthority, warn } = this.#options
    const facts = await askFacts(connection)
    const needs = { place: this.#place, ...redis, isAuthority }
    const refusal = refusalOf(facts, needs)
    if (refusal !== null) throw new StoreError(`store ${this.#name}: ${refusal}`)
    await this.nodes.renew(connection)
    if (this.#origin === null)
      for (const warning of warningsOf(facts, needs)) warn(`store ${this.#name}: ${warning}`)
    await this.#hasLostData(connection, bootId)
  }

  /** True if the server has lost its data or is another one, which is logged. */
  async #hasLostData(connection: Pick<Connection, 'ask'>, bootId: string): Promise<boolean> {
    const named = ['1', this.#keys.origin, `${bootId} ${++this.#openings}`]
    const origin = String(await connection.ask(['EVAL', NAME_ORIGIN, ...named]))
    const isLost = this.#origin !== null && this.#origin !== origin
    this.#origin = origin
    if (isLost)
      this.#options.tell.failing(
        `store ${this.#name}: expected the stored data, got a server that has lost it: sessions and pending callbacks are gone`,
      )
    return isLost
  }
}
