/** CPU of whole disclosure sessions, compared in each round with the fixed parts alone (`tools/bench/floor/server.ts`), and with the check of their proof. The difference
 *  is the cost of this service. See `tools/bench/sessions/measure.ts`. @module */
import { join } from 'node:path'
import { freePort } from '../../test/cli/run-svc.ts'
import { temporaryFolder } from '../../test/schemes/make-scheme.ts'
import { median, rounded } from './cpu.ts'
import type { FloorTask } from './floor/server.ts'
import { startProcess } from './server-process.ts'
import {
  ALL_ROUNDS,
  type MeasuredServer,
  measureRound,
  ON_ONE_CORE,
  type Round,
  type RunningBenchmark,
  randomNonce,
  type Sessions,
  settled,
  wholeOf,
  withServer,
} from './sessions/measure.ts'
import { makeBodies, REQUEST } from './sessions.ts'

const SESSIONS: Sessions = { request: REQUEST, path: 'proofs', makeBodies, primesPerSession: 0 }

type Pair = { readonly ours: Round; readonly floor: Round }

/** Runs the server of the fixed parts while `work` runs. */
async function withFloor<Result>(
  { bodies, arithmetic }: RunningBenchmark,
  nonce: bigint,
  work: (floor: MeasuredServer) => Promise<Result>,
): Promise<Result> {
  const folder = await temporaryFolder()
  const port = await freePort()
  const process = new URL(`./floor/server${import.meta.url.slice(-3)}`, import.meta.url)
  const server = startProcess<FloorTask>(process, join(folder.path, 'log'))
  try {
    const file = join(folder.path, 'rows.sqlite')
    await server.ask({ ask: 'start', port, file, request: REQUEST, nonce, bodies })
    return await work({ server, address: `http://127.0.0.1:${port}`, bodies, arithmetic })
  } finally {
    await server.stop()
    await folder.remove()
  }
}

function measure(): Promise<readonly Pair[]> {
  const nonce = randomNonce()
  return withServer({ ...SESSIONS, nonce, options: ON_ONE_CORE }, running =>
    withFloor(running, nonce, async floor => {
      const pairs: Pair[] = []
      for (let round = 0; round < ALL_ROUNDS; round++)
        pairs.push({
          ours: await measureRound(running, SESSIONS),
          floor: await measureRound(floor, SESSIONS),
        })
      return settled(pairs)
    }),
  )
}

/** Prints medians. `floorRatio`: the fixed parts with the check of the proof, to that check alone. `ratio`: the same for this service. `ratioToFloor`: this service
 *  to the fixed parts, per round. */
export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const pairs = await measure()
  const of = (part: (pair: Pair) => number): number => rounded(median(pairs.map(part)))
  const result = {
    name: 'floor',
    node: process.version,
    store: 'sqlite',
    wholeMs: of(({ ours }) => wholeOf(ours)),
    floorMs: of(({ floor }) => wholeOf(floor)),
    checkMs: of(({ ours }) => ours.arithmetic),
    floorCreateMs: of(({ floor }) => floor.create),
    floorConnectMs: of(({ floor }) => floor.connect),
    floorSubmitMs: of(({ floor }) => floor.submit),
    floorResultMs: of(({ floor }) => floor.result),
    ratio: of(({ ours }) => wholeOf(ours) / ours.arithmetic),
    floorRatio: of(({ floor }) => wholeOf(floor) / floor.arithmetic),
    ratioToFloor: of(({ ours, floor }) => wholeOf(ours) / wholeOf(floor)),
  }
  if (json) console.log(JSON.stringify(result))
  else console.table(result)
}
