/** Cost of metrics: CPU of a whole disclosure session (as in `tools/bench/sessions.ts`) in two servers, without and with metrics, in turn in each round. Also the CPU of
 *  one page of metrics, which Prometheus reads every 15 s. @module */
import { freePort } from '../../test/cli/run-svc.ts'
import { median, rounded } from './cpu.ts'
import {
  cpuOf,
  measureRound,
  type Round,
  type RunningBenchmark,
  wholeOf,
  withServer,
} from './sessions/measure.ts'
import { makeBodies, REQUEST } from './sessions.ts'

const WARM_UP_ROUNDS = 20
const ROUNDS = 15
const PAGES = 20
const SESSIONS = { request: REQUEST, path: 'proofs', makeBodies, primesPerSession: 0 } as const

async function readPages(port: number): Promise<number> {
  let bytes = 0
  for (let i = 0; i < PAGES; i++)
    bytes = (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).length
  return bytes
}

async function compared(off: RunningBenchmark, on: RunningBenchmark, port: number) {
  const rounds: { readonly off: Round; readonly on: Round }[] = []
  for (let i = 0; i < WARM_UP_ROUNDS + ROUNDS; i++)
    rounds.push({ off: await measureRound(off, SESSIONS), on: await measureRound(on, SESSIONS) })
  const settled = rounds.slice(WARM_UP_ROUNDS)
  await readPages(port)
  const [pageBytes, pageMs] = await cpuOf(on.server, PAGES, () => readPages(port))
  return {
    offMs: rounded(median(settled.map(({ off }) => wholeOf(off)))),
    onMs: rounded(median(settled.map(({ on }) => wholeOf(on)))),
    ratio: rounded(median(settled.map(({ off, on }) => wholeOf(on) / wholeOf(off)))),
    pageMs: rounded(pageMs),
    pageBytes,
  }
}

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const port = await freePort()
  const counted = { ...SESSIONS, options: { metrics_port: port } }
  const result = await withServer(SESSIONS, off => withServer(counted, on => compared(off, on, port)))
  const facts = { name: 'metrics', node: process.version, store: 'sqlite' }
  if (json) console.log(JSON.stringify({ ...facts, ...result }))
  else console.table(result)
}
