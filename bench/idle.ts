/** Memory of sessions that nobody has connected to: what the server on SQLite grows by from its start until so many are created and wait. Resident memory
 *  of its process: as it is, so with what is not collected yet; and after a full collection, which is what the sessions hold. The write-ahead log of
 *  the file is no part of it: SQLite writes it back every 1,000 pages. @module */
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
  const startMb = megabytes(await server.ask({ ask: 'memory', isCollected: false }))
  const idleMb: number[] = []
  for (let created = 0; created < SESSIONS; created += PART) {
    await postSessions(address, REQUEST, PART)
    idleMb.push(megabytes(await server.ask({ ask: 'memory', isCollected: false })))
  }
  dropConnections()
  const collectedMb = megabytes(await server.ask({ ask: 'memory', isCollected: true }))
  return { startMb, idleMb, collectedMb }
}

/** `grownMb` is the growth over the start as it is, `heldMb` the growth after a full collection (aim of both: at most 100 MB). */
export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const nothingSubmitted = { request: REQUEST, makeBodies: async () => [] }
  const { startMb, idleMb, collectedMb } = await withServer(nothingSubmitted, measure)
  const grownMb = megabytes(((idleMb.at(-1) ?? Number.NaN) - startMb) * MB)
  const heldMb = megabytes((collectedMb - startMb) * MB)
  const facts = { name: 'idle', node: process.version, store: 'sqlite', sessions: SESSIONS }
  const result = { ...facts, startMb, idleMb, collectedMb, grownMb, heldMb }
  if (json) console.log(JSON.stringify(result))
  else console.table({ ...result, idleMb: idleMb.join(' ') })
}
