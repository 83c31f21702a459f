/** Opens the store that the settings name. @module */

import { existsSync } from 'node:fs'
import { createSystemClock } from '../ports/clock.ts'
import { parseUrl } from '../ports/parse-url.ts'
import { systemRandomness } from '../ports/randomness.ts'
import { shownAddress } from '../protocol/shown-address.ts'
import { createMemoryStore } from './memory/store.ts'
import {
  isRedis,
  NO_REDIS_OPTIONS,
  parseRedisAddress,
  REDIS_FORMS,
  type RedisOptions,
} from './redis/address.ts'
import { checkFile } from './sqlite/file/check-file.ts'
import type { DeliveriesBeside, SessionServerStore, Store } from './store.ts'
import type { StoreOptions } from './store-options.ts'
import { createSharedClock } from './time/shared-clock.ts'

const SQLITE = 'sqlite:'
const POSTGRES = /^postgres(?:ql)?:\/\//

/** @returns null: the name is not that of a file store */
export function sqliteFileOf(name: string): string | null {
  return name.startsWith(SQLITE) ? name.slice(SQLITE.length) : null
}

/** @returns an error that says expected and got, for a name that is not one of a session server's stores; null: the name is right */
export function mistakeInStoreName(name: string): string | null {
  if (parseRedisAddress(name) !== null || isWholeStore(name)) return null
  if (isPostgres(name)) return UNREADABLE_POSTGRES
  const expected = isRedis(name) ? REDIS_FORMS : '"memory", "sqlite:FILE", "postgres://..." or "redis://..."'
  return `store: expected ${expected}, got ${shownAddress(name)}`
}

/** @returns as `mistakeInStoreName`, for a store that also holds accounts */
export function mistakeInAccountsStoreName(name: string): string | null {
  if (isWholeStore(name)) return null
  if (isPostgres(name)) return UNREADABLE_POSTGRES
  const got = isRedis(name) ? 'an address of Redis, where no accounts can be kept' : shownAddress(name)
  return `store: expected "memory", "sqlite:FILE" or "postgres://...", got ${got}`
}

function isWholeStore(name: string): boolean {
  // with these names SQLite would open no file
  const isFile = name.startsWith(SQLITE) && name !== SQLITE && name !== `${SQLITE}:memory:`
  return name === 'memory' || isFile || isReadablePostgres(name)
}

/** The text does not quote the address, because the part that is parsed as its host may belong to the password. */
const UNREADABLE_POSTGRES =
  'store: expected an address of PostgreSQL such as "postgres://USER:PASSWORD@HOST/DATABASE", got one that cannot be read; write signs such as "/", "#" and "@" of the password in percent encoding'

/** An address without a host names a local socket in its parameters. The driver accepts it, but it is not a standard URL. */
function isReadablePostgres(name: string): boolean {
  return isPostgres(name) && (parseUrl(name) ?? parseUrl(name.replace('@/', '@socket/'))) !== null
}

/** True if the name is the address of a PostgreSQL database, which several nodes may share. */
export function isPostgres(name: string): boolean {
  return POSTGRES.test(name)
}

/** Checks that the store could be opened, by this process or by the process that uses it now.
 *  @throws {Error} that says expected and got */
export function checkStore(name: string): void {
  refuse(mistakeInStoreName(name))
  const file = sqliteFileOf(name)
  if (file !== null) checkFile(file)
}

function refuse(mistake: string | null): void {
  if (mistake !== null) throw new Error(mistake)
}

/** Opens a store with all parts.
 *  @param name `memory`, `sqlite:FILE`, or `postgres://USER:PASSWORD@HOST/DATABASE`, which several nodes may share
 *  @param bootId of this process; with SQLite no other process may use the store
 *  @throws {Error} that says expected and got */
export async function openStore(name: string, bootId: string, options: StoreOptions = {}): Promise<Store> {
  refuse(mistakeInAccountsStoreName(name))
  if (name === 'memory') return createMemoryStore()
  // loaded on use: 0.1 s each, which a server with a store in memory need not wait for
  if (isPostgres(name)) {
    const { openPostgresStore } = await import('./postgres/open-postgres.ts')
    return openPostgresStore(name, bootId, withDefaults(options))
  }
  const { openSqliteStore } = await import('./sqlite/open-sqlite.ts')
  return openSqliteStore(name.slice(SQLITE.length), bootId, withDefaults(options))
}

/** Options of a store that may be a Redis server. */
export type SessionServerStoreOptions = StoreOptions & {
  readonly redis?: RedisOptions
  /** true: only this store knows which credentials are revoked */
  readonly isAuthority?: boolean
}

/** Opens a store without accounts.
 *  @param name as for `openStore`, or `redis://USER:PASSWORD@HOST:PORT/DATABASE` and its variants
 *  @param bootId of this process
 *  @throws {Error} that says expected and got */
export async function openSessionServerStore(
  name: string,
  bootId: string,
  { redis = NO_REDIS_OPTIONS, isAuthority = false, ...options }: SessionServerStoreOptions = {},
): Promise<SessionServerStore> {
  refuse(mistakeInStoreName(name))
  if (!isRedis(name)) return openStore(name, bootId, options)
  const { openRedisStore } = await import('./redis/open-redis.ts') // loaded on use: 0.1 s
  return openRedisStore(name, bootId, { ...withDefaults(options), redis, isAuthority })
}

/** Opens the deliveries of a store that other processes may be using; they keep it open. The tables are not migrated.
 *  @param name as for `openSessionServerStore`
 *  @throws {Error} that says expected and got */
export async function openDeliveries(
  name: string,
  redis: RedisOptions = NO_REDIS_OPTIONS,
): Promise<DeliveriesBeside> {
  refuse(mistakeInStoreName(name))
  if (isRedis(name)) return openDeliveriesOfRedis(name, redis)
  if (isPostgres(name)) {
    const { openDeliveriesOfPostgres } = await import('./postgres/open-deliveries.ts')
    return openDeliveriesOfPostgres(name, withDefaults({}))
  }
  const file = sqliteFileOf(name)
  if (file === null || !existsSync(file))
    throw new Error(`store: expected the SQLite file of a server, got ${JSON.stringify(name)}`)
  const { openDeliveriesBeside } = await import('./sqlite/open-sqlite.ts')
  return openDeliveriesBeside(file, withDefaults({}))
}

/** In Redis only a node can commit, so this process becomes a node while it runs. */
async function openDeliveriesOfRedis(name: string, redis: RedisOptions): Promise<DeliveriesBeside> {
  const clock = createSystemClock()
  const options = { clock, redis: { ...redis, acceptsLoss: true } } // the servers decide if the loss of commits is acceptable
  const store = await openSessionServerStore(name, systemRandomness.token(), options)
  return {
    deliveries: store.deliveries,
    commit: commit => store.commit(commit),
    now: createSharedClock(clock, store.nodes).now,
    close: () => store.close(),
  }
}

function withDefaults(options: StoreOptions): Required<StoreOptions> {
  const tell = { failing: () => {}, working: () => {} }
  return {
    clock: createSystemClock(),
    tell,
    warn: () => {},
    lost: () => {},
    synchronous: 'normal',
    ...options,
  }
}
