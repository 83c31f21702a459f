/** Memory of sessions that nobody has connected to: what the server on SQLite grows by from its start until so many wait. The resident memory of its
 *  process is measured as it is: at the end of their creation, so with what is not collected yet, and again after a time without calls, in which Node
 *  gives back of its own accord what it does not need. All sessions are still there then. What they hold is the heap after a full collection, at the end. @module */
import { setTimeout } from 'node:timers/promises'
import { call, dropConnections } from './sessions/client.ts'
import { postSessions, type Running, withServer } from './sessions/measure.ts'
import { REQUEST } from './sessions.ts'

const SESSIONS = 100_000
/** The parts in which they are created: the answers of one part are kept by the client until it is over. */
const PART = 10_000
/** The time without calls: Node 24 gives memory back after 100 s, Node 20 after 40 s. A session that nobody connects to stays for 300 s. */
const QUIET_MS = 150_000
const MB = 1_000_000

function megabytes(bytes: number): number {
  return Number((bytes / MB).toFixed(1))
}

async function measure({ server, address }: Running) {
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

/** Growth over the start: `grownMb` of the resident memory while all sessions wait (aim: at most 100 MB), `grownAtOnceMb` at the end of their creation, `heldMb`
 *  of the heap. */
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
