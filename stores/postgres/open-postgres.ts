/** Opens a PostgreSQL database for one of its nodes. @module */
import { Health } from '../health.ts'
import { WriteOutcomes } from '../outage.ts'
import type { Store } from '../store.ts'
import type { StoreOptions } from '../store-options.ts'
import { Changes } from './changes.ts'
import { Database, withMigrations } from './database.ts'
import { migratePostgres } from './migrate-postgres.ts'
import { PostgresNodes } from './nodes.ts'
import { failureOf } from './postgres-errors.ts'
import { shownDatabase } from './shown-database.ts'
import { PostgresStore } from './store.ts'
import { Subscribers } from './subscribers.ts'

/** @param address `postgres://...`, secret
 *  @throws {Error} that names the expected and the actual state of the database */
export async function openPostgresStore(
  address: string,
  bootId: string,
  { clock, tell, warn }: Required<StoreOptions>,
): Promise<Store> {
  const name = shownDatabase(address)
  await migrated(address, name)
  const database = new Database(address, name, new Health(name, clock, tell), () => missed())
  const writes = new WriteOutcomes(() => database.isGone)
  const nodes = new PostgresNodes({ database, name, bootId, clock, warn, writes })
  const subscribers = new Subscribers(clock)
  const changes = new Changes({
    address,
    database,
    clock,
    notify: change => subscribers.notifyCommitted(change),
    missed: () => missed(),
  })
  const close = async (): Promise<void> => {
    await changes.close()
    await nodes.release()
    await database.close()
  }
  const store = new PostgresStore({ database, nodes, writes, bootId, clock, changes, subscribers, close })
  const missed = (): void => {
    store.sessions.forgetAll()
    subscribers.missed()
  }
  try {
    await nodes.open()
    await changes.open()
    return store
  } catch (error) {
    await close()
    throw error
  }
}

/** @throws {Error} that names the expected and the actual state of the database */
async function migrated(address: string, name: string): Promise<void> {
  try {
    await withMigrations(address, db => migratePostgres(db, name))
  } catch (error) {
    throw error instanceof Error && error.message.startsWith('store ') ? error : failureOf(name, error)
  }
}
