/** CPU of the server for a whole disclosure session, store by store and round by round in one run, beside that on SQLite; and of two servers on one store, each
 *  call at another server than the one before. The engines of the stores are processes of their own, whose CPU is not counted. @module */
import { newPostgresDatabase } from '../test/postgres.ts'
import { startRedis } from '../test/redis.ts'
import { median, rounded } from './cpu.ts'
import { makeBodies, REQUEST } from './sessions.ts'
import { type Nodes, wholeSessions, withNodes } from './stores/nodes.ts'

const WARM_UP_ROUNDS = 20
const ROUNDS = 15
const SESSIONS_PER_ROUND = 200

type Case = { readonly name: string; readonly store: string | null; readonly nodes: number }

async function cases(): Promise<readonly Case[]> {
  return [
    { name: 'sqlite', store: null, nodes: 1 },
    { name: 'postgres', store: await newPostgresDatabase(), nodes: 1 },
    { name: 'postgres, two nodes', store: await newPostgresDatabase(), nodes: 2 },
    { name: 'redis', store: (await startRedis('Redis')).address, nodes: 1 },
    { name: 'redis, two nodes', store: (await startRedis('Redis')).address, nodes: 2 },
  ]
}

/** @returns CPU ms of one session: a list for each case, a number for each round */
async function measure(running: readonly Nodes[]): Promise<number[][]> {
  const rounds: number[][] = running.map(() => [])
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
    for (const [i, nodes] of running.entries()) {
      const ms = await wholeSessions(nodes, REQUEST, SESSIONS_PER_ROUND)
      if (round >= WARM_UP_ROUNDS) rounds[i]?.push(ms)
    }
  return rounds
}

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const named = await cases()
  const served = { request: REQUEST, makeBodies }
  const rounds = await withNodes(named, served, measure)
  const [first = []] = rounds
  const results = named.map(({ name, nodes }, i) => {
    const own = rounds[i] ?? []
    const ratio = median(own.map((ms, round) => ms / (first[round] ?? Number.NaN)))
    return { name, nodes, wholeMs: rounded(median(own)), ratioToSqlite: rounded(ratio) }
  })
  const sessions = ROUNDS * SESSIONS_PER_ROUND
  if (json) console.log(JSON.stringify({ name: 'stores', node: process.version, sessions, stores: results }))
  else console.table(results)
}
