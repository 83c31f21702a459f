/** CPU of a server for a whole disclosure session, store by store, beside that on SQLite. @module */
import { newPostgresDatabase } from '../test/postgres.ts'
import { startRedis } from '../test/redis.ts'
import { compareCases, printMeasured } from './stores/compare.ts'

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const measured = await compareCases([
    { name: 'sqlite', store: null, nodes: 1 },
    { name: 'postgres', store: await newPostgresDatabase(), nodes: 1, besides: 'sqlite' },
    { name: 'redis', store: (await startRedis('Redis')).address, nodes: 1, besides: 'sqlite' },
  ])
  printMeasured('stores', measured, json)
}
