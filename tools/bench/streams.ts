/** Opens many event streams on one server with SQLite, each for its own session and on its own socket. It measures the memory per stream, the CPU of opening one,
 *  and the time from the call that changes a status to the event. If the limit of open files (`ulimit -n`) is too low for a step, the step opens as many streams
 *  as the limit allows. @module */
import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { percentile, rounded } from './cpu.ts'
import { call, dropConnections, forAll } from './sessions/client.ts'
import { APP, cpuOf, PROFILE, postSessions, type RunningBenchmark, withServer } from './sessions/measure.ts'
import { ATTRIBUTE } from './sessions.ts'
import { type OpenStream, openStream } from './streams/open-stream.ts'

const STEPS = [5_000, 20_000]
/** Open files of the server process that are not streams: files, listener, and the calls of the benchmark. */
const OTHER_FILES = 200
const CHANGES = 1_000
const CHANGE_EACH_MS = 5
/** Streams that are opened and closed before the measurement. */
const WARM_UP = 1_000

const REQUEST = JSON.stringify({
  timeout: 3_600,
  request: { '@context': `${PROFILE.contextBase}/ld/request/disclosure/v2`, disclose: [[[ATTRIBUTE]]] },
})

type Streams = { readonly app: string; readonly stream: OpenStream }[]

/** Maximum number of open files of a process on this machine. */
function mostFiles(): number {
  const limit = execFileSync('/bin/sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim()
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit)
}

async function createSessions(address: string, count: number): Promise<string[]> {
  dropConnections() // the server may have closed some connections
  const created = await postSessions(address, REQUEST, count)
  return created.map(text => JSON.parse(text).sessionPtr.u)
}

function openAll(apps: readonly string[], first: number): Promise<Streams> {
  return forAll(apps, async (app, i) => ({ app, stream: await openStream(`${app}/statusevents`, first + i) }))
}

/** Makes the app's first call in `CHANGES` sessions, at a steady rate.
 *  @returns ms from each call to its event */
async function changeSome(streams: Streams): Promise<number[]> {
  const waits: Promise<number>[] = []
  const calls: Promise<string>[] = []
  for (const { app, stream } of streams.slice(-CHANGES)) {
    const beganAt = performance.now()
    waits.push(stream.nextEventAt().then(at => at - beganAt))
    calls.push(call('GET', app, APP))
    await pause(CHANGE_EACH_MS)
  }
  await Promise.all(calls)
  return Promise.all(waits)
}

async function measureStep({ server, address }: RunningBenchmark, streams: Streams, count: number) {
  const apps = await createSessions(address, count - streams.length)
  const before = { held: await server.ask({ ask: 'held' }), resident: await server.ask({ ask: 'resident' }) }
  const opened = streams.length
  const [more, openMs] = await cpuOf(server, apps.length, () => openAll(apps, opened))
  streams.push(...more)
  const grown = async (what: 'held' | 'resident'): Promise<number> =>
    rounded(((await server.ask({ ask: what })) - before[what]) / more.length / 1_000)
  const heldKb = await grown('held') // the server collects garbage before each of the two measurements
  const residentKb = await grown('resident')
  dropConnections()
  const [waits, changeMs] = await cpuOf(server, CHANGES, () => changeSome(streams))
  return {
    streams: count,
    residentKb,
    heldKb,
    openMs: rounded(openMs),
    changeMs: rounded(changeMs),
    p50Ms: rounded(percentile(waits, 0.5)),
    p99Ms: rounded(percentile(waits, 0.99)),
  }
}

async function measure(running: RunningBenchmark) {
  const warm = await openAll(await createSessions(running.address, WARM_UP), 0)
  await changeSome(warm)
  for (const { stream } of warm) stream.close()
  await pause(500)
  const streams: Streams = []
  const steps: Awaited<ReturnType<typeof measureStep>>[] = []
  for (const step of STEPS)
    steps.push(await measureStep(running, streams, Math.min(step, mostFiles() - OTHER_FILES)))
  for (const { stream } of streams) stream.close()
  return steps
}

/** Prints the memory of a stream (aim: at most 12 kB), and p99 of its event (aims: at most 10 ms at 5,000 streams, 50 ms at 20,000). */
export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const options = { max_streams: Math.max(...STEPS) }
  const steps = await withServer({ request: REQUEST, makeBodies: async () => [], options }, measure)
  if (json) console.log(JSON.stringify({ name: 'streams', node: process.version, store: 'sqlite', steps }))
  else console.table(steps)
}
