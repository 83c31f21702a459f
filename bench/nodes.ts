/** CPU of two servers on one store for a whole disclosure session, each call at any of them, beside that of two servers that share nothing: each on a store of its own, as
 *  busy at the same time, each session at one of them. Where cores allow it, two do as many more sessions than one as a session costs no more. One server alone is measured
 *  too: with two, both cores are busy, and each instruction takes longer. @module */
import { newPostgresDatabase } from '../test/postgres.ts'
import { startRedis } from '../test/redis.ts'
import { compareCases, printMeasured } from './stores/compare.ts'

/** Three cases of one engine. */
async function casesOf<Engine extends string>(engine: Engine, newStore: () => Promise<string>) {
  const apart = `${engine}Apart` as const
  const shared = await newStore()
  return [
    { name: apart, stores: [await newStore(), await newStore()] },
    { name: `${engine}One`, stores: [await newStore()], besides: apart },
    { name: `${engine}Two`, stores: [shared, shared], routing: 'any node', besides: apart },
  ] as const
}

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const redis = async (): Promise<string> => (await startRedis('Redis')).address
  const cases = [...(await casesOf('postgres', newPostgresDatabase)), ...(await casesOf('redis', redis))]
  printMeasured('nodes', await compareCases<string>(cases), json)
}
