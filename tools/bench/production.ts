/** Whole disclosure sessions as an operator gets them: `svc server` with a settings file in production mode, profile irma, requestors with a token and with JWTs,
 *  SQLite and a log file. The four calls of 8 wallets are mixed as they come. A flag `--calls` limits the curve, and `--seconds` the settled parts. @module */
import { PROFILES } from '../../protocol/profiles.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { DEMO_SCHEMES } from '../../test/project.ts'
import { temporaryFolder } from '../../test/schemes/make-scheme.ts'
import { cpuMs, median, rounded } from './cpu.ts'
import { createAnswers } from './production/answers.ts'
import { CALLS_PER_SESSION, type Callers, closedLoop, openLoop, STEPS } from './production/calls.ts'
import { cpuBySteps, measured, roundTrips } from './production/measure.ts'
import { createRequests, REQUEST } from './production/requestors.ts'
import { type ProductionServer, withProduction } from './production/server.ts'
import type { BenchmarkOptions } from './run.ts'
import { arithmeticOf } from './sessions/arithmetic.ts'
import { dropConnections } from './sessions/client.ts'
import { randomNonce } from './sessions/measure.ts'

const WALLETS = 8
const CURVE = [5_000, 20_000, 100_000]
const SECONDS = 30
/** The load of the open loop, as a part of what the closed loop reached. */
const OPEN_LOAD = 0.6
const STEP_SESSIONS = 400
const CHECKS = 100

async function measureAll(server: ProductionServer, callers: Callers, calls: number, seconds: number) {
  const curve: Record<string, Awaited<ReturnType<typeof measured>>> = {}
  let from = 0
  for (const to of [...CURVE.filter(end => end < calls), calls]) {
    const sessions = Math.ceil((to - from) / CALLS_PER_SESSION)
    curve[`${from} to ${to}`] = await measured(server, into =>
      closedLoop(callers, WALLETS, into, begun => begun < sessions),
    )
    from = to
  }
  const endsAt = performance.now() + seconds * 1_000
  const settled = await measured(server, into =>
    closedLoop(callers, WALLETS, into, () => performance.now() < endsAt),
  )
  const open = await measured(server, into =>
    openLoop(callers, settled.wallPerSecond * OPEN_LOAD, into, seconds),
  )
  dropConnections()
  const stepSessions = Math.min(STEP_SESSIONS, Math.ceil(calls / CALLS_PER_SESSION))
  return { curve, settled, open, steps: await cpuBySteps(server, callers, stepSessions) }
}

/** CPU ms of the check of one proof alone. */
async function checkAlone(answers: Callers['answers']): Promise<() => number> {
  const schemes = await loadSchemes(DEMO_SCHEMES)
  const nonce = randomNonce()
  const facts = { schemes, profile: PROFILES.irma, nonce, request: JSON.stringify(REQUEST) }
  const check = await arithmeticOf(answers[0]?.({ context: 1n, nonce }) ?? '', facts)
  cpuMs(CHECKS, check)
  return () => cpuMs(CHECKS, check)
}

/** Prints the curve from the first call on, the settled state, the open loop, and the CPU of each step. `ratio`: the settled session to the check of its proof. */
export async function run({ json, calls, seconds }: BenchmarkOptions): Promise<void> {
  const schemes = await loadSchemes(DEMO_SCHEMES)
  const answers = Array.from({ length: WALLETS }, () => createAnswers(schemes))
  const callersOf = (address: string): Callers => ({ address, answers, requestOf: createRequests() })
  const check = await checkAlone(answers)
  const folder = await temporaryFolder()
  try {
    const before = check()
    const parts = await withProduction(folder.path, {}, server =>
      measureAll(server, callersOf(server.address), calls ?? CURVE.at(-1) ?? 0, seconds ?? SECONDS),
    )
    const checkMs = rounded(median([before, check()]))
    const facts = { name: 'production', node: process.version, store: 'sqlite', wallets: WALLETS }
    const ratio = rounded(parts.settled.wholeMs / checkMs)
    const rows = await roundTrips(folder.path, callersOf)
    if (json) console.log(JSON.stringify({ ...facts, ...parts, rows, checkMs, ratio }))
    else print({ ...parts, facts: { ...facts, ...parts.steps, ...rows, checkMs, ratio } })
  } finally {
    await folder.remove()
  }
}

function print({
  curve,
  settled,
  open,
  facts,
}: Omit<Awaited<ReturnType<typeof measureAll>>, 'steps'> & { readonly facts: object }): void {
  const parts = Object.entries({ ...curve, settled, open })
  console.table(Object.fromEntries(parts.map(([name, { latencies: _, ...figures }]) => [name, figures])))
  const waits = STEPS.flatMap(step =>
    parts.map(([name, { latencies }]) => [`${step}, ${name}`, latencies[step]] as const),
  )
  console.table(Object.fromEntries(waits))
  console.table(facts)
}
