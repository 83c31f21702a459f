/** CPU of a whole disclosure session at two servers on one store, where each call goes to any of them, beside two servers that share nothing: each has a store of its own,
 *  is as busy at the same time, and has all calls of its sessions. Where cores allow it, two servers do as many more sessions than one as a session costs no more. One server
 *  alone is measured too, and takes less, since the other core is idle then. @module */
import { newPostgresDatabase } from '../test/postgres.ts'
import { startRedis } from '../test/redis.ts'
import { type Case, compareCases, printMeasured } from './stores/compare.ts'

/** The three cases of one engine. */
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
