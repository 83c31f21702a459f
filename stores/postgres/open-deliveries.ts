/** Opens only the deliveries of a PostgreSQL database, while nodes may be using it. This process is not a node: it has no lease, and does not migrate
 *  tables. @module */
import { Health } from '../health.ts'
import { SqlDeliveries } from '../sql/deliveries.ts'
import type { DeliveriesBeside } from '../store.ts'
import type { StoreOptions } from '../store-options.ts'
import { Database } from './database.ts'
import { refuseOtherEncoding } from './encoding.ts'
import { LATEST_OF_POSTGRES, latestIn } from './migrate-postgres.ts'
import { NOW } from './nodes.ts'
import { shownDatabase } from './shown-database.ts'
import { write } from './store.ts'

type Options = Required<Pick<StoreOptions, 'clock' | 'tell'>>

/** @param address `postgres://...`, secret
 *  @throws {Error} that says expected and got */
export async function openDeliveriesOfPostgres(
  address: string,
  { clock, tell }: Options,
): Promise<DeliveriesBeside> {
  const name = shownDatabase(address)
  const database = new Database(address, name, new Health(name, clock, tell))
  try {
    await refuseOtherTables(database, name)
    const [read] = await database.all<{ at: number }>({ sql: `select ${NOW} as at`, values: [] })
    const aheadMs = (read?.at ?? 0) - clock.now()
    const deliveries = new SqlDeliveries(database.db, database)
    return {
      deliveries,
      commit: ({ delivery }) =>
        database.transaction(statements => write(statements, deliveries.setting(delivery))),
      now: () => clock.now() + aheadMs,
      close: () => database.close(),
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function refuseOtherTables(database: Database, name: string): Promise<void> {
  const latest = await refuseOtherEncoding(database.db, name)
    .then(() => latestIn(database.db))
    .catch(error => {
      throw database.failed(error)
    })
  if (latest !== LATEST_OF_POSTGRES)
    throw new Error(
      `store ${name}: expected tables that a server of this version has made, up to ${LATEST_OF_POSTGRES}, got ${latest ?? 'none'}`,
    )
}
