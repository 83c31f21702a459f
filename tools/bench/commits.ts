/** Cost of a transition at the interface of an SQLite store, with and without a sync of every commit. It measures single commits one after another, and commits at
 *  a fixed rate, which share transactions. The CPU time of the caller is not included. @module */
import { setTimeout as pause } from 'node:timers/promises'
import { restoreRequest } from '../../protocol/request.ts'
import { openStore } from '../../stores/open.ts'
import type { SessionRow, SessionStatus } from '../../stores/session-store.ts'
import type { Store } from '../../stores/store.ts'
import { SYNCHRONOUS, type Synchronous } from '../../stores/store-options.ts'
import { sessionRow } from '../../test/stores/rows.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { median, rounded } from './cpu.ts'

const SESSIONS = 5_000
const LONE_COMMITS = 300
const RATES = [500, 5_000] as const
const SECONDS = 2
/** Both kinds alternate in rounds, because the speed of the machine varies. */
const ROUNDS = 3

/** One transition, of the session whose turn it is. */
type Transition = () => Promise<unknown>

type Measured = {
  /** CPU of one transition, us */
  readonly cpuUs: number
  /** from the call to the commit, ms */
  readonly p50Ms: number
  readonly p99Ms: number
}

/** A row with a request, tokens and facts of usual length. */
function rowOf(i: number): SessionRow {
  const name = `${i}`.padStart(20, '0')
  const request = { '@context': 'https://example.org/ld/request/disclosure/v2', disclose: [[['a.b.c.d']]] }
  return sessionRow(name, {
    request: restoreRequest(JSON.stringify({ validity: 120, timeout: 120, request })),
    nonce: 'n'.repeat(24),
  })
}

/** @returns a function that makes the next transition, of each session in turn */
async function transitionsOf(store: Store): Promise<Transition> {
  const rows = Array.from({ length: SESSIONS }, (_, i) => rowOf(i))
  await Promise.all(rows.map(row => store.commit({ session: { id: row.id, version: 0, row } })))
  let turn = 0
  return async () => {
    const index = turn++ % SESSIONS
    const before = rows[index]
    if (!before) throw new RangeError(`expected a session below ${SESSIONS}, got ${index}`)
    const { id, version } = before
    const status: SessionStatus = before.status === 'INITIALIZED' ? 'CONNECTED' : 'INITIALIZED'
    const row: SessionRow = { ...before, version: version + 1, status, deadlineAt: before.deadlineAt + 1 }
    rows[index] = row
    const change = { id, version: row.version, oldStatus: before.status, newStatus: status }
    if (!(await store.commit({ session: { id, version, row }, inserts: { change } })))
      throw new Error(`expected version ${version} of ${id}, got another one`)
  }
}

function measuredOf(cpuUs: number, latencies: readonly number[]): Measured {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN
  return { cpuUs, p50Ms: at(0.5), p99Ms: at(0.99) }
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** One after another, each as soon as the previous one is committed. */
async function lone(transition: Transition): Promise<Measured> {
  const latencies: number[] = []
  const before = process.cpuUsage()
  for (let i = 0; i < LONE_COMMITS; i++) {
    const beganAt = performance.now()
    await transition()
    latencies.push(performance.now() - beganAt)
  }
  return measuredOf(cpuSince(before) / LONE_COMMITS, latencies)
}

/** At a fixed rate, regardless of how many are in progress. */
async function offered(rate: number, transition: Transition): Promise<Measured> {
  const [count, everyMs] = [rate * SECONDS, 1_000 / rate]
  const going: Promise<unknown>[] = []
  const latencies: number[] = []
  const before = process.cpuUsage()
  const beganAt = performance.now()
  for (let i = 0; i < count; await pause(1))
    for (; i < count && beganAt + i * everyMs <= performance.now(); i++) {
      const offeredAt = beganAt + i * everyMs
      going.push(transition().then(() => latencies.push(performance.now() - offeredAt)))
    }
  await Promise.all(going)
  return measuredOf(cpuSince(before) / count, latencies)
}

type Round = { readonly lone: Measured; readonly offered: readonly Measured[] }

async function measureRound(transition: Transition): Promise<Round> {
  const measured: Measured[] = []
  for (const rate of RATES) {
    const whole = await offered(rate, transition)
    const { cpuUs } = await offered(rate, async () => {})
    measured.push({ ...whole, cpuUs: whole.cpuUs - cpuUs })
  }
  return { lone: await lone(transition), offered: measured }
}

async function measure(): Promise<ReadonlyMap<Synchronous, readonly Round[]>> {
  const measured = new Map<Synchronous, Round[]>(SYNCHRONOUS.map(synchronous => [synchronous, []]))
  const stores: Store[] = []
  const transitions = new Map<Synchronous, Transition>()
  for (const synchronous of SYNCHRONOUS) {
    const store = await openStore(`sqlite:${temporaryFolder()}/sessions.sqlite`, 'boot', { synchronous })
    stores.push(store)
    transitions.set(synchronous, await transitionsOf(store))
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const [synchronous, transition] of transitions)
      measured.get(synchronous)?.push(await measureRound(transition))
  for (const store of stores) await store.close()
  return measured
}

function medians(measured: readonly Measured[]): Measured {
  const of = (part: (each: Measured) => number): number => rounded(median(measured.map(part)))
  return { cpuUs: of(each => each.cpuUs), p50Ms: of(each => each.p50Ms), p99Ms: of(each => each.p99Ms) }
}

/** Prints medians of the rounds. `addedMs`: p99 of the latency, minus the median latency of single commits in the same round (aim: at most 5 ms at 500 a second).
 *  Aim of `cpuUs` at 5,000 a second: at most 60. */
export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const results = [...(await measure())].map(([synchronous, rounds]) => ({
    synchronous,
    lone: medians(rounds.map(round => round.lone)),
    ...Object.fromEntries(
      RATES.map((rate, i) => {
        const of = rounds.flatMap(round => round.offered.slice(i, i + 1))
        const added = rounds.map(round => (round.offered[i]?.p99Ms ?? Number.NaN) - round.lone.p50Ms)
        return [`at${rate}`, { ...medians(of), addedMs: rounded(median(added)) }]
      }),
    ),
  }))
  if (json)
    console.log(JSON.stringify({ name: 'commits', node: process.version, sessions: SESSIONS, results }))
  else
    for (const { synchronous, ...parts } of results) {
      console.log(`synchronous=${synchronous}`)
      console.table(parts)
    }
}
