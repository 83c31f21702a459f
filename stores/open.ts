/** Open the store that the settings name. @module */
import { existsSync } from 'node:fs'
import { createSystemClock } from '../ports/clock.ts'
import { shownAddress } from '../protocol/shown-address.ts'
import { createMemoryStore } from './memory/store.ts'
import { checkFile } from './sqlite/file/check-file.ts'
import type { DeliveriesBeside, Store } from './store.ts'
import type { StoreOptions } from './store-options.ts'

const SQLITE = 'sqlite:'
const POSTGRES = /^postgres(?:ql)?:\/\//
const REDIS = /^rediss?:\/\//

/** @returns null: a store that is no file */
export function sqliteFileOf(name: string): string | null {
  return name.startsWith(SQLITE) ? name.slice(SQLITE.length) : null
}

/** @returns what was expected and what came, for a name that names no store; null: it names one */
export function mistakeInStoreName(name: string): string | null {
  // SQLite would take some names for no file at all
  const isFile = name.startsWith(SQLITE) && name !== SQLITE && name !== `${SQLITE}:memory:`
  if (name === 'memory' || isFile || isPostgres(name)) return null
  return `store: expected "memory", "sqlite:FILE" or "postgres://...", got ${shownAddress(name)}`
}

/** Whether that is the address of a PostgreSQL database, which several nodes may share. */
export function isPostgres(name: string): boolean {
  return POSTGRES.test(name)
}

/** @returns as `mistakeInStoreName`, for a store of accounts */
export function mistakeInAccountsStoreName(name: string): string | null {
  if (REDIS.test(name))
    return 'store: expected "memory", "sqlite:FILE" or "postgres://...", got an address of Redis, where no accounts can be kept'
  return mistakeInStoreName(name)
}

function checkStoreName(name: string): void {
  const mistake = mistakeInStoreName(name)
  if (mistake !== null) throw new Error(mistake)
}

/** Whether such a store could be opened, by this process or by the one that has it now.
 *  @throws {Error} that says expected and got */
export function checkStore(name: string): void {
  checkStoreName(name)
  const file = sqliteFileOf(name)
  if (file !== null) checkFile(file)
}

/** @param name `memory`, `sqlite:FILE`, or `postgres://USER:PASSWORD@HOST/DATABASE`, which several nodes may share
 *  @param bootId of this process: with SQLite the only one alive
 *  @throws {Error} that says expected and got */
export async function openStore(name: string, bootId: string, options: StoreOptions = {}): Promise<Store> {
  checkStoreName(name)
  if (name === 'memory') return createMemoryStore()
  // 0.1 s each, which a server in memory need not wait for
  if (isPostgres(name)) {
    const { openPostgresStore } = await import('./postgres/open-postgres.ts')
    return openPostgresStore(name, bootId, withDefaults(options))
  }
  const { openSqliteStore } = await import('./sqlite/open-sqlite.ts')
  return openSqliteStore(name.slice(SQLITE.length), bootId, withDefaults(options))
}

/** The deliveries of a store, beside the process that may be running on it, which keeps its hold; its tables are taken as they are.
 *  @param name as of `openStore`
 *  @throws {Error} that says expected and got */
export async function openDeliveries(name: string): Promise<DeliveriesBeside> {
  checkStoreName(name)
  const file = name.slice(SQLITE.length)
  if (!name.startsWith(SQLITE) || !existsSync(file))
    throw new Error(`store: expected the SQLite file of a server, got ${JSON.stringify(name)}`)
  const { openDeliveriesBeside } = await import('./sqlite/open-sqlite.ts')
  return openDeliveriesBeside(file, withDefaults({}))
}

function withDefaults(options: StoreOptions): Required<StoreOptions> {
  const tell = { failing: () => {}, working: () => {} }
  return { clock: createSystemClock(), tell, lost: () => {}, ...options }
}
