/** Memory of sessions that nobody has connected to: what the server on SQLite grows by from its start until so many are created and wait. The resident
 *  memory of its process is measured as it is, so with what is not collected yet; what the sessions hold is its heap after a full collection, at the
 *  end. SQLite writes its log back to the file every 1,000 pages. @module */
import { dropConnections } from './sessions/client.ts'
import { postSessions, type Running, withServer } from './sessions/measure.ts'
import { REQUEST } from './sessions.ts'

const SESSIONS = 100_000
/** The parts in which they are created: the answers of one part are kept by the client until it is over. */
const PART = 10_000
const MB = 1_000_000

function megabytes(bytes: number): number {
  return Number((bytes / MB).toFixed(1))
}

async function measure({ server, address }: Running) {
  const residentMb = async (): Promise<number> => megabytes(await server.ask({ ask: 'resident' }))
  const startMb = await residentMb()
  const heldAtStart = await server.ask({ ask: 'held' })
  const idleMb: number[] = []
  for (let created = 0; created < SESSIONS; created += PART) {
    await postSessions(address, REQUEST, PART)
    idleMb.push(await residentMb())
  }
  dropConnections()
  const heldMb = megabytes((await server.ask({ ask: 'held' })) - heldAtStart)
  return { startMb, idleMb, heldMb }
}

/** `grownMb` is the growth of the resident memory over the start (aim: at most 100 MB), `heldMb` that of the heap. */
export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const nothingSubmitted = { request: REQUEST, makeBodies: async () => [] }
  const { startMb, idleMb, heldMb } = await withServer(nothingSubmitted, measure)
  const grownMb = megabytes(((idleMb.at(-1) ?? Number.NaN) - startMb) * MB)
  const facts = { name: 'idle', node: process.version, store: 'sqlite', sessions: SESSIONS }
  const result = { ...facts, startMb, idleMb, grownMb, heldMb }
  if (json) console.log(JSON.stringify(result))
  else console.table({ ...result, idleMb: idleMb.join(' ') })
}
