/** CPU of `POST /session` on SQLite, 8 calls at a time, beside the check of one disclosure proof in the same round: see `bench/sessions/measure.ts`. @module */
import { median, rounded } from './cpu.ts'
import { dropConnections } from './sessions/client.ts'
import { cpuOf, postSessions, type Running, withServer } from './sessions/measure.ts'
import { makeBodies, REQUEST } from './sessions.ts'

const ROUNDS = 15
/** The rounds until the compiler has settled. */
const WARM_UP_ROUNDS = 15
const SESSIONS_PER_ROUND = 400

type Round = { readonly create: number; readonly check: number }

async function measureRound({ server, address, arithmetic }: Running): Promise<Round> {
  dropConnections()
  // on both sides of what is compared with it: the processor is not equally fast all the time
  const checkBefore = arithmetic()
  const [, create] = await cpuOf(server, SESSIONS_PER_ROUND, () =>
    postSessions(address, REQUEST, SESSIONS_PER_ROUND),
  )
  const checkAfter = arithmetic()
  return { create, check: (checkBefore + checkAfter) / 2 }
}

function measure(): Promise<readonly Round[]> {
  return withServer({ request: REQUEST, makeBodies }, async running => {
    const rounds: Round[] = []
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) rounds.push(await measureRound(running))
    return rounds.slice(WARM_UP_ROUNDS)
  })
}

/** Medians; `ratio` is one creation to one check of a proof, in each round (aim: at most 0.15). */
export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const rounds = await measure()
  const of = (part: (round: Round) => number): number => rounded(median(rounds.map(part)))
  const result = {
    name: 'create',
    node: process.version,
    store: 'sqlite',
    sessions: rounds.length * SESSIONS_PER_ROUND,
    createMs: of(({ create }) => create),
    checkMs: of(({ check }) => check),
    ratio: of(({ create, check }) => create / check),
  }
  if (json) console.log(JSON.stringify(result))
  else console.table(result)
}
