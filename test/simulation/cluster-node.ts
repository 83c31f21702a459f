/** A whole session server of a simulation, with the real code. Everything that it needs from outside is simulated. The outcome of checking proofs is the one that the
 *  wallet app wrote into its submission. @module */
import type { RequestListener } from 'node:http'
import type { EffectDeps } from '../../actors/effects/create-effects.ts'
import type { Effects, PerformEffect } from '../../actors/effects/effects.ts'
import { workDone } from '../../actors/effects/outcomes.ts'
import { progressOf } from '../../actors/effects/progress.ts'
import type { Fetch } from '../../ports/fetch.ts'
import type { Randomness } from '../../ports/randomness.ts'
import type { Traces } from '../../ports/traces.ts'
import { createNode } from '../../server/create-node.ts'
import type { Store } from '../../stores/store.ts'
import { NO_REVOCATION } from '../actors/no-revocation.ts'
import { idlePool, settingsOfTest } from '../server/node-of-test.ts'
import type { Process } from './process.ts'

export const URL_OF_SERVICE = 'http://sessions.example/'
/** The longest stay in an open status, unless the request asks for less, and the stay after the end. */
export const STAY_MS = 25_000
export const RETENTION_MS = 12_000
const SETTINGS = settingsOfTest({
  url: URL_OF_SERVICE,
  maxSessionLifetimeMs: STAY_MS,
  resultLifetimeMs: RETENTION_MS,
  callbackBackoff: { firstMs: 1_000, maxMs: 8_000 },
})

/** Constant, because no code reads them. */
export const TRACES: Traces = {
  of: () => ({ traceId: 'f'.repeat(32), spanId: 'f'.repeat(16), flags: '02' }),
}

export type ClusterNode = {
  readonly process: Process
  readonly handler: RequestListener
  readonly close: () => Promise<void>
}

/** The surroundings of a node, except its store. */
export type Outside = {
  readonly random: Randomness
  readonly fetch: (process: Process) => Fetch
  /** reports a bug from the log */
  readonly failed: (process: Process, what: string) => void
  /** true if the thread of this work dies */
  readonly hasDied: (process: Process) => boolean
  /** a number that is unique for each signature */
  readonly signature: () => number
}

export async function startClusterNode(
  process: Process,
  store: Store,
  outside: Outside,
): Promise<ClusterNode> {
  const { random, fetch, failed } = outside
  const error = (facts: unknown, text = ''): void => {
    if (process.fate !== 'is gone') failed(process, `${text}: ${String(Object(facts).err)}`)
  }
  const node = await createNode(SETTINGS, {
    clock: process.clock,
    random,
    fetch: fetch(process),
    traces: TRACES,
    log: { info() {}, warn() {}, error },
    instead: {
      store,
      bootId: process.bootId,
      pool: idlePool(),
      revocation: NO_REVOCATION,
      effects: parts => simulatedEffects(parts, process, outside),
      sessionLimits: { maxLive: 16 },
    },
  })
  return { process, handler: node.server.app.callback(), close: node.close }
}

/** The body of a submission; it replaces the proofs. */
export function submissionOf(proofs: 'VALID' | 'wrong' | 'malformed', number: number): string {
  return proofs === 'malformed' ? `no JSON ${number}` : JSON.stringify({ proofs, number })
}

/** The real effect decides whether the chart asks for a next session. */
function simulatedEffects(
  { settings }: EffectDeps,
  process: Process,
  { hasDied, signature }: Outside,
): Partial<Effects> {
  const check: PerformEffect = async row => {
    const isValid = JSON.parse(row.claimedBody ?? '').proofs === 'VALID'
    const judgement = { proofStatus: isValid ? 'VALID' : 'INVALID' } as const
    const event = { type: 'server.checked', isValid } as const
    return workDone(row, event, { judgement, commitments: null, next: null }, settings)
  }
  const sign: PerformEffect = async row => {
    const sigs = [{ signature: signature() }]
    return workDone(row, { type: 'server.signed' }, progressOf(row), settings, { sigs })
  }
  return { check: taking(process, hasDied, check), sign: taking(process, hasDied, sign) }
}

/** Work takes time in another thread. The thread may die, and the work ends when it is aborted. */
function taking(process: Process, hasDied: Outside['hasDied'], perform: PerformEffect): PerformEffect {
  return (row, signal) =>
    new Promise((resolve, reject) => {
      process.after(process.random.between(1, 40), () => {
        if (signal.aborted) reject(signal.reason)
        else if (hasDied(process)) reject(new Error('the worker died'))
        else resolve(perform(row, signal))
      })
    })
}
