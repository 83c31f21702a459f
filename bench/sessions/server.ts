/** The measured process of the benchmarks of sessions: a session server as `svc server` makes it, but for its challenge, which never changes, and its
 *  primes, which its parent finds. The parent asks for its CPU time and its memory. @module */
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemRandomness } from '../../ports/randomness.ts'
import { createLog } from '../../server/log/log.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { startServer } from '../../server/start.ts'
import { systemWorld } from '../../server/world.ts'
import { answerParent, type CpuTask } from '../measured-process.ts'

export type Start = {
  readonly options: Readonly<Record<string, unknown>>
  readonly nonce: bigint
  /** where the address of the inspector is written, if the options say that there is one */
  readonly inspectorFile?: string
}

/** `start` comes first. */
export type Task =
  /** answered with 0 */
  | { readonly ask: 'start'; readonly start: Start }
  | CpuTask
  /** answered with the milliseconds that the event loop was late at p99 since this was asked last */
  | { readonly ask: 'delay' }
  /** answered with the bytes that are resident in this process */
  | { readonly ask: 'resident' }
  /** answered with the bytes of its heap, buffers included, after a full collection */
  | { readonly ask: 'held' }
  /** primes for the signatures to come, with a key of 2048 bits; answered with 0 */
  | { readonly ask: 'primes'; readonly primes: readonly bigint[] }

const primes: bigint[] = []

const NS_PER_MS = 1e6
const delay = monitorEventLoopDelay({ resolution: 2 })

/** Measures from the first question on: who does not ask does not pay for its timer. */
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
