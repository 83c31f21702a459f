/** The measured process of the benchmarks of sessions: a session server as `svc server` makes it, but for its challenge, which never changes, and its
 *  primes, which are found when its parent says so, between the rounds. The parent asks for its CPU time, and for the cost of the arithmetic
 *  alone, in the same process at the same moment. @module */
import { randomBytes } from 'node:crypto'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { findSignaturePrime } from '../../crypto/issuance.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { createLog } from '../../server/log/log.ts'
import { resolveOptions } from '../../server/settings/resolve.ts'
import { startServer } from '../../server/start.ts'
import { systemWorld } from '../../server/world.ts'
import { arithmeticOf } from './arithmetic.ts'

export type Start = {
  readonly options: Readonly<Record<string, unknown>> & { readonly schemes_path: string }
  readonly nonce: bigint
  /** session request */
  readonly request: string
  /** what apps post in such sessions, all with that nonce */
  readonly bodies: readonly string[]
}

/** `start` comes first; it is answered with 0, the others with CPU milliseconds of all threads, user and system. */
export type Task =
  | { readonly ask: 'start'; readonly start: Start }
  /** of this process until now */
  | { readonly ask: 'cpu' }
  /** of the arithmetic of each body once, on this thread */
  | { readonly ask: 'arithmetic' }
  /** of finding so many primes for signatures with a key of 2048 bits, on this thread */
  | { readonly ask: 'primes'; readonly count: number }

const LARGEST_MODULUS = 2n ** 2048n - 1n
const arithmetic = chooseArithmetic('auto')
const primes: bigint[] = []
let works: readonly (() => void)[] = []

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function takePrime(): bigint {
  const prime = primes.pop()
  if (prime === undefined) throw new Error('benchmark: expected as many primes as signatures')
  return prime
}

async function start({ options: values, nonce, request, bodies }: Start): Promise<void> {
  const { options } = resolveOptions({ flags: {}, variables: {}, file: { name: 'benchmark', values } })
  const random = { ...systemRandomness, nonce: () => nonce }
  const supply = { take: takePrime, fill: async () => {} }
  await startServer({ options }, { ...systemWorld(createLog(options)), random, instead: { primes: supply } })
  const schemes = await loadSchemes(options.schemes_path)
  const facts = { schemes, profile: PROFILES.svc, nonce, request }
  works = await Promise.all(bodies.map(body => arithmeticOf(body, facts)))
}

function measured(work: () => void): number {
  const before = cpuMs()
  work()
  return cpuMs() - before
}

function findPrimes(count: number): void {
  for (let i = 0; i < count; i++) primes.push(findSignaturePrime(arithmetic, LARGEST_MODULUS, randomBytes))
}

async function answer(task: Task): Promise<number> {
  switch (task.ask) {
    case 'start':
      await start(task.start)
      return 0
    case 'cpu':
      return cpuMs()
    case 'arithmetic':
      return measured(() => {
        for (const work of works) work()
      })
    case 'primes':
      return measured(() => findPrimes(task.count))
  }
}

process.on('message', async (task: Task) => void process.send?.(await answer(task)))
process.on('disconnect', () => process.exit())
