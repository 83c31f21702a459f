/** CPU of a whole disclosure session at two servers on one store, with each call sent to either server. It is compared with two servers that share nothing: each
 *  has its own store, is equally busy, and gets all calls of its sessions. If there are enough cores, two servers reach twice the rate of one only if a session
 *  costs no more. A single server is measured too; it needs less, because the other core is idle. @module */
import { newPostgresDatabase } from '../../test/postgres.ts'
import { startRedis } from '../../test/redis.ts'
import { type Case, compareCases, printMeasured } from './stores/compare.ts'

/** The three cases of a database engine. */
async function casesOf(engine: string, newStore: () => Promise<string>): Promise<readonly Case[]> {
  const apart = `${engine}Apart`
  const shared = await newStore()
  return [
    { name: apart, stores: [await newStore(), await newStore()] },
    { name: `${engine}One`, stores: [await newStore()], besides: apart },
    { name: `${engine}Two`, stores: [shared, shared], routing: 'any node', besides: apart },
  ]
}

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const redis = async (): Promise<string> => (await startRedis('Redis')).address
  const cases = [...(await casesOf('postgres', newPostgresDatabase)), ...(await casesOf('redis', redis))]
  printMeasured('nodes', await compareCases(cases), json)
}
