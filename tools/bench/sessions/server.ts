/** The measured process of the session benchmarks: a session server as `svc server` runs it, except that its challenge is fixed and its parent finds the primes.
 *  The parent requests its CPU time and memory. @module */
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemRandomness } from '../../../ports/randomness.ts'
import { createLog } from '../../../server/log/log.ts'
import { sessionServer } from '../../../server/settings/session-server.ts'
import { startServer } from '../../../server/start.ts'
import { systemWorld } from '../../../server/world.ts'
import { answerParent, type CpuTask } from '../measured-process.ts'

export type Start = {
  readonly options: Readonly<Record<string, unknown>>
  readonly nonce: bigint
  /** file for the address of the inspector, if it is turned on */
  readonly inspectorFile?: string
}

/** `start` is the first task. */
export type Task =
  /** Answered with 0. */
  | { readonly ask: 'start'; readonly start: Start }
  | CpuTask
  /** Answered with the p99 delay of the event loop since the last such task, in milliseconds. */
  | { readonly ask: 'delay' }
  /** Answered with the resident memory of this process, in bytes. */
  | { readonly ask: 'resident' }
  /** Answered with the bytes of its heap, buffers included, after a full collection. */
  | { readonly ask: 'held' }
  /** Primes for the next signatures, with a key of 2048 bits. Answered with 0. */
  | { readonly ask: 'primes'; readonly primes: readonly bigint[] }

const primes: bigint[] = []

const NS_PER_MS = 1e6
const delay = monitorEventLoopDelay({ resolution: 2 })

/** Measures from the first such task on, so that other benchmarks do not pay for its timer. */
function delayMs(): number {
  delay.enable()
  const ms = delay.percentile(99) / NS_PER_MS
  delay.reset()
  return ms
}

function takePrime(): bigint {
  const prime = primes.pop()
  if (prime === undefined) throw new Error('benchmark: expected as many primes as signatures')
  return prime
}

async function start({ options: values, nonce, inspectorFile }: Start): Promise<void> {
  const { options } = sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'benchmark', values } })
  const random = { ...systemRandomness, nonce: () => nonce }
  const supply = { take: takePrime, fill: async () => {} }
  const world = { ...systemWorld(createLog(options)), random, instead: { primes: supply } }
  const { inspector } = await startServer({ options }, world)
  if (inspector !== null && inspectorFile !== undefined) writeFileSync(inspectorFile, inspector)
}

answerParent<Task>(async task => {
  switch (task.ask) {
    case 'start':
      await start(task.start)
      return 0
    case 'delay':
      return delayMs()
    case 'resident':
      return process.memoryUsage.rss()
    case 'held': {
      globalThis.gc?.()
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    case 'primes':
      primes.push(...task.primes)
      return 0
  }
})
