/** CPU of a whole disclosure session on a server with two worker threads, compared with one thread in the same rounds; and the delay of the event loop of the
 *  latter while its thread is busy. @module */
import { availableParallelism } from 'node:os'
import { median, rounded } from './cpu.ts'
import {
  measureRound,
  type Round,
  type RunningBenchmark,
  WARM_UP_ROUNDS,
  wholeOf,
  withServer,
} from './sessions/measure.ts'
import { makeBodies, REQUEST } from './sessions.ts'

const ROUNDS = 15
const SESSIONS = { request: REQUEST, path: 'proofs', makeBodies, primesPerSession: 0 } as const

type Both = { readonly one: Round; readonly two: Round; readonly delayMs: number }

/** @param work called with the servers of one and of two threads */
function withBoth<Result>(
  work: (one: RunningBenchmark, two: RunningBenchmark) => Promise<Result>,
): Promise<Result> {
  const served = (workers: number) => ({
    request: REQUEST,
    makeBodies,
    options: { workers, short_checks: 'threads' },
  })
  return withServer(served(1), one => withServer(served(2), two => work(one, two)))
}

function measure(): Promise<readonly Both[]> {
  return withBoth(async (one, two) => {
    const rounds: Both[] = []
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      await one.server.ask({ ask: 'delay' }) // resets the measurement
      const ofOne = await measureRound(one, SESSIONS)
      const delayMs = await one.server.ask({ ask: 'delay' })
      rounds.push({ one: ofOne, delayMs, two: await measureRound(two, SESSIONS) })
    }
    return rounds.slice(WARM_UP_ROUNDS)
  })
}

/** Prints medians. `ratio`: two threads to one (aim: at most 1.1). `delayP99Ms`: of the event loop (aim: at most 20). */
export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const rounds = await measure()
  const of = (part: (round: Both) => number): number => rounded(median(rounds.map(part)))
  const result = {
    name: 'threads',
    node: process.version,
    store: 'sqlite',
    cores: availableParallelism(),
    oneMs: of(({ one }) => wholeOf(one)),
    twoMs: of(({ two }) => wholeOf(two)),
    ratio: of(({ one, two }) => wholeOf(two) / wholeOf(one)),
    delayP99Ms: of(({ delayMs }) => delayMs),
  }
  if (json) console.log(JSON.stringify(result))
  else console.table(result)
}
