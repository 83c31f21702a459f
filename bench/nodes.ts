/** CPU of two servers on one store for a whole disclosure session, each call at another server than the one before, beside that of one server alone: where cores allow it, two do as
 *  many more sessions as a session costs no more. @module */
import { newPostgresDatabase } from '../test/postgres.ts'
import { startRedis } from '../test/redis.ts'
import { compareCases, printMeasured } from './stores/compare.ts'

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const redis = async (): Promise<string> => (await startRedis('Redis')).address
  const measured = await compareCases([
    { name: 'postgres', store: await newPostgresDatabase(), nodes: 1 },
    { name: 'postgresTwo', store: await newPostgresDatabase(), nodes: 2, besides: 'postgres' },
    { name: 'redis', store: await redis(), nodes: 1 },
    { name: 'redisTwo', store: await redis(), nodes: 2, besides: 'redis' },
  ])
  printMeasured('nodes', measured, json)
}
