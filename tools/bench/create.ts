/** CPU of `POST /session` on SQLite, 8 calls at a time, and how long the slowest calls take compared with the median. Each round also measures a bare server
 *  (`tools/bench/create/bare-server.ts`) and the check of one disclosure proof. The bare server reads the same body and commits a row of the same size. See
 *  `tools/bench/sessions/measure.ts`. @module */
import { join } from 'node:path'
import { newSession } from '../../actors/kinds/new-session.ts'
import { firstRow } from '../../actors/kinds/session.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { parseSessionRequestText } from '../../protocol/request.ts'
import { toTable } from '../../stores/sql/rows.ts'
import { freePort } from '../../test/cli/run-svc.ts'
import { temporaryFolder } from '../../test/schemes/make-scheme.ts'
import { median, percentile, rounded } from './cpu.ts'
import type { BareTask } from './create/bare-server.ts'
import { CALLS_UNTIL_SETTLED, type ServerProcess, startProcess } from './server-process.ts'
import { call, dropConnections, forAll } from './sessions/client.ts'
import { cpuOf, JSON_BODY, PROFILE, type RunningBenchmark, withServer } from './sessions/measure.ts'
import { makeBodies, REQUEST } from './sessions.ts'

const ROUNDS = 15
const SESSIONS_PER_ROUND = 400
/** The warm-up rounds. */
const WARM_UP_ROUNDS = CALLS_UNTIL_SETTLED / SESSIONS_PER_ROUND

type Posted = { readonly ms: number; readonly latenciesMs: readonly number[] }
type Round = { readonly create: Posted; readonly bare: Posted; readonly check: number }
/** A measured server, which reports its CPU time. */
type Measured = {
  readonly server: Pick<ServerProcess<{ readonly ask: 'cpu' }>, 'ask'>
  readonly address: string
}

/** Number of characters in all columns of the row that such a request creates. */
function rowLength(): number {
  const extended = parseSessionRequestText(REQUEST, PROFILE)
  const settings = { profile: PROFILE, maxSessionLifetimeMs: 300_000, resultLifetimeMs: 300_000 }
  const row = toTable(firstRow(newSession(extended, '', settings, systemRandomness), Date.now()))
  return Object.values(row).reduce<number>((sum, value) => sum + String(value ?? '').length, 0)
}

/** Runs the bare server while `work` runs.
 *  @param answer body of its responses */
async function withBareServer<Result>(
  answer: string,
  work: (bare: Measured) => Promise<Result>,
): Promise<Result> {
  const folder = await temporaryFolder()
  const port = await freePort()
  const file = new URL(`./create/bare-server${import.meta.url.slice(-3)}`, import.meta.url)
  const server = startProcess<BareTask>(file, join(folder.path, 'log'))
  try {
    const rows = join(folder.path, 'rows.sqlite')
    await server.ask({ ask: 'start', port, file: rows, rowLength: rowLength(), answer })
    return await work({ server, address: `http://127.0.0.1:${port}` })
  } finally {
    await server.stop()
    await folder.remove()
  }
}

async function post({ server, address }: Measured): Promise<Posted> {
  dropConnections()
  const latenciesMs: number[] = []
  const [, ms] = await cpuOf(server, SESSIONS_PER_ROUND, () =>
    forAll(Array.from({ length: SESSIONS_PER_ROUND }), async () => {
      const beganAt = performance.now()
      await call('POST', `${address}/session`, JSON_BODY, REQUEST)
      latenciesMs.push(performance.now() - beganAt)
    }),
  )
  return { ms, latenciesMs }
}

async function measureRound(ours: RunningBenchmark, bare: Measured): Promise<Round> {
  // measured before and after, because the speed of the processor varies
  const checkBefore = ours.arithmetic()
  const rounds = { create: await post(ours), bare: await post(bare) }
  return { ...rounds, check: (checkBefore + ours.arithmetic()) / 2 }
}

function measure(): Promise<readonly Round[]> {
  return withServer({ request: REQUEST, makeBodies }, async ours => {
    const answer = await call('POST', `${ours.address}/session`, JSON_BODY, REQUEST)
    return withBareServer(answer, async bare => {
      const rounds: Round[] = []
      for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
        rounds.push(await measureRound(ours, bare))
      return rounds.slice(WARM_UP_ROUNDS)
    })
  })
}

/** Prints medians. `ratioToBare` (aim: at most 2). `ratio`: one creation to one check of a proof (aim: at most 0.15), per round. `p99ToMedian`: of the calls of a
 *  round (aim: at most 4). */
export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const rounds = await measure()
  const of = (part: (round: Round) => number): number => rounded(median(rounds.map(part)))
  const slowest = ({ latenciesMs }: Posted): number => percentile(latenciesMs, 0.99)
  const result = {
    name: 'create',
    node: process.version,
    store: 'sqlite',
    sessions: rounds.length * SESSIONS_PER_ROUND,
    createMs: of(({ create }) => create.ms),
    bareMs: of(({ bare }) => bare.ms),
    ratioToBare: of(({ create, bare }) => create.ms / bare.ms),
    checkMs: of(({ check }) => check),
    ratio: of(({ create, check }) => create.ms / check),
    medianMs: of(({ create }) => median(create.latenciesMs)),
    p99Ms: of(({ create }) => slowest(create)),
    p99ToMedian: of(({ create }) => slowest(create) / median(create.latenciesMs)),
    bareP99ToMedian: of(({ bare }) => slowest(bare) / median(bare.latenciesMs)),
  }
  if (json) console.log(JSON.stringify(result))
  else console.table(result)
}
