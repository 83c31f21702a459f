/** Measures the CPU time of a server for a whole disclosure session with each store. Each result is compared with SQLite. @module */
import { newPostgresDatabase } from '../../test/postgres.ts'
import { startRedis } from '../../test/redis.ts'
import { compareCases, printMeasured } from './stores/compare.ts'

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const measured = await compareCases([
    { name: 'sqlite', stores: [null] },
    { name: 'postgres', stores: [await newPostgresDatabase()], besides: 'sqlite' },
    { name: 'redis', stores: [(await startRedis('Redis')).address], besides: 'sqlite' },
  ])
  printMeasured('stores', measured, json)
}
