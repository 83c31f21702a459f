/** Memory of sessions before a wallet app connects: the growth of the server on SQLite from its start until all of them wait. The resident memory of its process is
 *  measured twice: after their creation, with uncollected garbage, and after a time without calls, in which Node returns unused memory. All sessions still exist
 *  then. The heap is measured after a full collection, at the end. @module */
import { setTimeout } from 'node:timers/promises'
import { call, dropConnections } from './sessions/client.ts'
import { postSessions, type RunningBenchmark, withServer } from './sessions/measure.ts'
import { REQUEST } from './sessions.ts'

const SESSIONS = 100_000
/** Sessions are created in parts. The client keeps the answers of one part until its end. */
const PART = 10_000
/** The time without calls: Node 24 returns memory after 100 s, Node 20 after 40 s. A session without a connected app lasts 300 s. */
const QUIET_MS = 150_000
const MB = 1_000_000

function megabytes(bytes: number): number {
  return Number((bytes / MB).toFixed(1))
}

async function measure({ server, address }: RunningBenchmark) {
  const residentMb = async (): Promise<number> => megabytes(await server.ask({ ask: 'resident' }))
  const startMb = await residentMb()
  const heldAtStart = await server.ask({ ask: 'held' })
  const createdMb: number[] = []
  const tokens: string[] = []
  for (let created = 0; created < SESSIONS; created += PART) {
    const packages = await postSessions(address, REQUEST, PART)
    tokens.push(JSON.parse(packages[0] ?? '').token)
    createdMb.push(await residentMb())
  }
  dropConnections()
  await setTimeout(QUIET_MS)
  const idleMb = await residentMb()
  for (const token of tokens) {
    const status = await call('GET', `${address}/session/${token}/status`, {})
    if (status !== '"INITIALIZED"')
      throw new Error(`benchmark: expected sessions that wait, got one of status ${status}`)
  }
  dropConnections()
  const heldMb = megabytes((await server.ask({ ask: 'held' })) - heldAtStart)
  return { startMb, createdMb, idleMb, heldMb }
}

/** Prints the growth since the start. `grownMb`: resident memory while all sessions wait (aim: at most 100 MB). `grownAtOnceMb`: at the end of their creation.
 *  `heldMb`: heap. */
export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const nothingSubmitted = { request: REQUEST, makeBodies: async () => [] }
  const { startMb, createdMb, idleMb, heldMb } = await withServer(nothingSubmitted, measure)
  const grown = (mb = Number.NaN): number => megabytes((mb - startMb) * MB)
  const facts = { name: 'idle', node: process.version, store: 'sqlite', sessions: SESSIONS }
  const growth = { grownAtOnceMb: grown(createdMb.at(-1)), grownMb: grown(idleMb), heldMb }
  const result = { ...facts, startMb, createdMb, idleMb, ...growth }
  if (json) console.log(JSON.stringify(result))
  else console.table({ ...result, createdMb: createdMb.join(' ') })
}
