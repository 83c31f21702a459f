/** Opens an SQLite file, either as its only server process or beside it. @module */
import { Kysely, SqliteDialect } from 'kysely'
import { WriteOutcomes } from '../outage.ts'
import { SqlDeliveries } from '../sql/deliveries.ts'
import { migrate, SQLITE_MIGRATIONS } from '../sql/migrate.ts'
import type { Tables } from '../sql/schema.ts'
import type { DeliveriesBeside, Store } from '../store.ts'
import type { StoreOptions } from '../store-options.ts'
import { Checkpoints, PAGES_WITHIN_COMMIT } from './checkpoints/checkpoints.ts'
import { LogFiles } from './file/log-files.ts'
import { refuseSecondName } from './file/one-name.ts'
import { failureOf } from './file/sqlite-errors.ts'
import { StoreHealth } from './file/store-health.ts'
import { hasTable, makeOwnerTable, refuseNewer } from './file/tables.ts'
import { GroupCommit } from './group-commit.ts'
import { holdFile } from './owner/hold-file.ts'
import { adoptTimes, differenceMs, lastSeen } from './owner/kept-times.ts'
import { Ownership } from './owner/ownership.ts'
import { engineOf, write } from './part.ts'
import { forKysely, openSqlite, Statements, useWriteAheadLog } from './statements.ts'
import { SqliteStore } from './store.ts'
import { whileLocked } from './while-locked.ts'

type Options = Required<StoreOptions>

/** @param use gets the open database, which is closed if `use` fails
 *  @throws {StoreError} and errors of `use`, unchanged */
async function withDatabase<Opened>(
  file: string,
  { clock, tell, synchronous }: Options,
  use: (database: Awaited<ReturnType<typeof connect>>) => Promise<Opened>,
): Promise<Opened> {
  try {
    refuseSecondName(file)
    const connection = await connect(file, { clock, tell, synchronous })
    try {
      return await use(connection)
    } catch (error) {
      await connection.db.destroy()
      throw error
    }
  } catch (error) {
    throw failureOf(file, error)
  }
}

async function connect(file: string, { clock, tell, synchronous }: Omit<Options, 'lost' | 'warn'>) {
  const database = await openSqlite(file)
  try {
    await whileLocked(clock, () => useWriteAheadLog(database, synchronous))
  } catch (error) {
    database.close()
    throw error
  }
  const health = new StoreHealth(file, clock, tell)
  const statements = new Statements(database, health)
  const dialect = new SqliteDialect({ database: forKysely(database, statements) })
  return { db: new Kysely<Tables>({ dialect }), statements, health, clock }
}

/** Opens the file for its only server process.
 *  @throws {Error} that says expected and got */
export function openSqliteStore(file: string, bootId: string, options: Options): Promise<Store> {
  return withDatabase(file, options, async ({ db, statements, health, clock }) => {
    refuseNewer(statements, file)
    await whileLocked(clock, () => makeOwnerTable(statements))
    await holdFile({ file, statements, clock, bootId })
    const logFiles = new LogFiles(file)
    const ownership = new Ownership({ file, statements, logFiles, clock, bootId, lost: options.lost })
    const guard = (): void => ownership.assertOurs()
    const checkpoints = new Checkpoints(file)
    const writes = new WriteOutcomes()
    const commits = new GroupCommit({
      statements,
      health,
      clock,
      guard,
      writes,
      synchronous: options.synchronous,
      committed: () => checkpoints.committed(),
    })
    try {
      await whileLocked(clock, () => migrate(db, SQLITE_MIGRATIONS))
      const adopt = (): boolean => adoptTimes(statements, clock)
      await commits.commit({ run: adopt, isOneStatement: false })
      await ownership.renew(commits)
      statements.all(`pragma wal_autocheckpoint = ${PAGES_WITHIN_COMMIT}`)
      const close = async (): Promise<void> => {
        await ownership.release(commits)
        await checkpoints.close()
        await db.destroy()
      }
      return new SqliteStore({ db, statements, bootId, commits, outage: writes, close })
    } catch (error) {
      await ownership.release(commits)
      throw error
    }
  })
}

/** Opens only the deliveries, while a server process may be using the file.
 *  @throws {Error} that says expected and got */
export function openDeliveriesBeside(file: string, options: Options): Promise<DeliveriesBeside> {
  return withDatabase(file, options, async ({ db, statements, health, clock }) => {
    refuseNewer(statements, file)
    if (!hasTable(statements, 'deliveries') || !hasTable(statements, 'owner'))
      throw new Error(`store ${file}: expected one that a server of this version has opened, got another`)
    const commits = new GroupCommit({
      statements,
      health,
      clock,
      guard: () => {},
      synchronous: options.synchronous,
    })
    const deliveries = new SqlDeliveries(db, engineOf({ db, statements, commits }))
    return {
      deliveries,
      commit: ({ delivery }) =>
        commits.commit({
          run: () => write({ statements }, deliveries.setting(delivery)),
          isOneStatement: true,
        }),
      now: () => clock.now() - differenceMs(lastSeen(statements), clock.now()),
      close: () => commits.drain().then(() => db.destroy()),
    }
  })
}
