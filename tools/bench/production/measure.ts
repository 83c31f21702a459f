/** The parts of the production benchmark, each measured from outside of the server. @module */
import { join } from 'node:path'
import { freePort } from '../../../test/cli/run-svc.ts'
import { rounded } from '../cpu.ts'
import { forAll } from '../sessions/client.ts'
import {
  CALLS_PER_SESSION,
  type Callers,
  connect,
  createSession,
  type Latencies,
  noLatencies,
  readResult,
  submit,
  summaryOf,
} from './calls.ts'
import { type ProductionServer, withProduction } from './server.ts'

const COUNTED_SESSIONS = 100
const BYTES_PER_MB = 2 ** 20
const MS_PER_SECOND = 1_000

/** @param work returns the number of its sessions
 *  @returns CPU ms of a session, sessions a second and core, bytes of a call, latencies in ms */
export async function measured(
  server: ProductionServer,
  work: (into: Latencies) => Promise<number>,
): Promise<{
  readonly sessions: number
  readonly wholeMs: number
  readonly perSecond: number
  readonly wallPerSecond: number
  readonly bytesPerCall: number
  readonly residentMb: number
  readonly latencies: ReturnType<typeof summaryOf>
}> {
  const latencies = noLatencies()
  const before = await server.usage()
  const beganAt = performance.now()
  const sessions = await work(latencies)
  const wallMs = performance.now() - beganAt
  const after = await server.usage()
  const wholeMs = (after.cpuMs - before.cpuMs) / sessions
  const bytes = after.allocatedBytes - before.allocatedBytes
  return {
    sessions,
    wholeMs: rounded(wholeMs),
    perSecond: Math.floor(MS_PER_SECOND / wholeMs),
    wallPerSecond: rounded((sessions * MS_PER_SECOND) / wallMs),
    bytesPerCall: Math.round(bytes / sessions / CALLS_PER_SESSION),
    residentMb: Math.round(after.residentBytes / BYTES_PER_MB),
    latencies: summaryOf(latencies),
  }
}

/** CPU ms of each call, if all wallets are at the same step. Mixed calls cannot be told apart from outside. */
export async function cpuBySteps(server: ProductionServer, callers: Callers, count: number) {
  const cpuOf = async <Result>(step: () => Promise<Result>): Promise<readonly [Result, number]> => {
    const before = await server.usage()
    const result = await step()
    return [result, rounded(((await server.usage()).cpuMs - before.cpuMs) / count)]
  }
  const all = Array.from({ length: count })
  const [created, createMs] = await cpuOf(() => forAll(all, (_, i) => createSession(callers, i)))
  const [bodies, connectMs] = await cpuOf(() => forAll(created, (each, i) => connect(callers, each, i)))
  const [, submitMs] = await cpuOf(() => forAll(created, (each, i) => submit(each, bodies[i] ?? '')))
  const [, resultMs] = await cpuOf(() => forAll(created, each => readResult(callers, each)))
  return { createMs, connectMs, submitMs, resultMs }
}

/** Reads and commits of rows for one session, as the metrics of a separate server count them. */
export async function roundTrips(folder: string, callersOf: (address: string) => Callers) {
  const port = await freePort()
  const options = { metrics_port: port, store: `sqlite:${join(folder, 'counted.sqlite')}` }
  return withProduction(folder, options, async ({ address }) => {
    const callers = callersOf(address)
    for (let i = 0; i < COUNTED_SESSIONS; i++) {
      const created = await createSession(callers, i)
      await submit(created, await connect(callers, created, i))
      await readResult(callers, created)
    }
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const of = (operation: string): number => countIn(page, operation) / COUNTED_SESSIONS
    return { loads: of('load'), commits: of('commit') }
  })
}

function countIn(page: string, operation: string): number {
  const name = /^svc_store_seconds_count\{(?<labels>[^}]*)\} (?<count>[0-9]+)/
  const lines = page.split('\n').map(line => name.exec(line)?.groups)
  const found = lines.filter(groups => groups?.labels?.includes(`operation="${operation}"`))
  return found.reduce((sum, groups) => sum + Number(groups?.count), 0)
}
