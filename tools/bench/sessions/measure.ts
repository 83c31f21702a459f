/** CPU of whole sessions over HTTP on SQLite: create, first GET, submission, result, with 8 wallets at a time. The server is a separate process. Only its CPU
 *  counts, with its worker threads, the compiler and collection. The submissions are created beforehand, because the server's challenge is fixed. The arithmetic of
 *  a session is measured alone in this process in the same round. Primes are found here between the rounds; in the server, they would leave garbage that is
 *  collected during its calls. @module */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { chooseArithmetic } from '../../../crypto/bignum/choose.ts'
import { findSignaturePrime } from '../../../crypto/issuance.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import { loadSchemes } from '../../../schemes/load.ts'
import { freePort } from '../../../test/cli/run-svc.ts'
import { DEMO_SCHEMES } from '../../../test/project.ts'
import { temporaryFolder } from '../../../test/schemes/make-scheme.ts'
import { cpuMs, median, percentile, rounded } from '../cpu.ts'
import { CALLS_UNTIL_SETTLED, type ServerProcess, startProcess } from '../server-process.ts'
import { arithmeticOf } from './arithmetic.ts'
import { call, dropConnections, forAll } from './client.ts'
import type { Task } from './server.ts'

const ROUNDS = 15
export const SESSIONS_PER_ROUND = 200
/** The warm-up rounds; each session has four calls. */
export const WARM_UP_ROUNDS = CALLS_UNTIL_SETTLED / 4 / SESSIONS_PER_ROUND
export const ALL_ROUNDS = WARM_UP_ROUNDS + ROUNDS
const MESSAGES = 100
export const PROFILE = PROFILES.svc
const LARGEST_MODULUS = 2n ** 2048n - 1n
const arithmetic = chooseArithmetic('auto')
export const JSON_BODY = { 'content-type': 'application/json' }
export const APP = {
  [PROFILE.minVersionHeader]: '2.4',
  [PROFILE.maxVersionHeader]: '2.8',
  authorization: 'benchmark',
}

/** One kind of session. */
export type Sessions = {
  /** session request */
  readonly request: string
  readonly path: 'proofs' | 'commitments'
  /** @returns `count` bodies that answer the nonce, each with other randomness */
  readonly makeBodies: (folder: string, nonce: bigint, count: number) => Promise<string[]>
  readonly primesPerSession: number
  /** additional options of the server */
  readonly options?: Readonly<Record<string, unknown>>
  /** number of wallets that submit at once; default: 8 */
  readonly atOnce?: number
}

export type Server = ServerProcess<Task>

/** @param log file for the server's log, one line per call */
export function startSessionProcess(log: string): Server {
  return startProcess(new URL(`./server${import.meta.url.slice(-3)}`, import.meta.url), log)
}

type Step = 'create' | 'connect' | 'submit' | 'result'
/** Values of one round. `waits`: waiting time of the slowest of a hundred submissions, relative to the median. */
export type Round = Readonly<Record<Step | 'arithmetic' | 'primes' | 'waits', number>>

/** @returns the result of the step, and the server's CPU ms for one of `count` sessions */
export async function cpuOf<Result>(
  server: Pick<ServerProcess<{ readonly ask: 'cpu' }>, 'ask'>,
  count: number,
  step: () => Promise<Result>,
): Promise<readonly [Result, number]> {
  const before = await server.ask({ ask: 'cpu' })
  const result = await step()
  return [result, ((await server.ask({ ask: 'cpu' })) - before) / count]
}

/** @returns the session packages */
export function postSessions(address: string, request: string, count: number): Promise<string[]> {
  const post = () => call('POST', `${address}/session`, JSON_BODY, request)
  return forAll(Array.from({ length: count }), post)
}

/** Finds `count` primes for the next signatures, as an idle server does.
 *  @returns CPU ms of finding them */
async function handPrimes(server: MeasuredServer['server'], count: number): Promise<number> {
  const primes: bigint[] = []
  const ms = cpuMs(1, () => {
    while (primes.length < count) primes.push(findSignaturePrime(arithmetic, LARGEST_MODULUS, randomBytes))
  })
  await server.ask({ ask: 'primes', primes })
  return ms
}

/** CPU ms per session of each step, of its arithmetic alone, and of its primes. */
export async function measureRound(
  { server, address, bodies, arithmetic }: MeasuredServer,
  { request, path, primesPerSession, atOnce }: Sessions,
  count = SESSIONS_PER_ROUND,
): Promise<Round> {
  const measured = <Result>(step: () => Promise<Result>): Promise<readonly [Result, number]> =>
    cpuOf(server, count, step)
  const primes = await handPrimes(server, count * primesPerSession)
  dropConnections()
  const [created, create] = await measured(() => postSessions(address, request, count))
  const sessions = created.map(text => JSON.parse(text))
  const [, connect] = await measured(() =>
    forAll(sessions, ({ sessionPtr }) => call('GET', sessionPtr.u, APP)),
  )
  // measured before and after, because the speed of the processor varies
  const arithmeticBefore = arithmetic()
  const submitted = async ({ sessionPtr }: { sessionPtr: { u: string } }, i: number): Promise<number> => {
    const beganAt = performance.now()
    await call('POST', `${sessionPtr.u}/${path}`, APP, bodies[i % bodies.length])
    return performance.now() - beganAt
  }
  const [waitsMs, submit] = await measured(() => forAll(sessions, submitted, atOnce))
  const arithmeticAfter = arithmetic()
  const [results, result] = await measured(() =>
    forAll(sessions, ({ token }) => call('GET', `${address}/session/${token}/result`, {})),
  )
  if (!results.every(text => JSON.parse(text).proofStatus === 'VALID'))
    throw new Error('benchmark: expected every session to be VALID')
  return {
    create,
    connect,
    submit,
    result,
    arithmetic: (arithmeticBefore + arithmeticAfter) / 2,
    primes: primes / count,
    waits: percentile(waitsMs, 0.99) / median(waitsMs),
  }
}

/** The request that a server serves, and the submissions for it. */
export type ServedSessions = Pick<Sessions, 'request' | 'makeBodies' | 'options'> & {
  /** challenge of every session; default: random per server */
  readonly nonce?: bigint
}

export type RunningBenchmark = {
  readonly server: Server
  readonly address: string
  readonly bodies: readonly string[]
  /** measures the arithmetic of the sessions alone, in this process
   *  @returns CPU ms per session */
  readonly arithmetic: () => number
  /** contains the address of the inspector, if it is turned on */
  readonly inspectorFile: string
}

/** A measured server that serves sessions; a session server or the one of the fixed parts. */
export type MeasuredServer = Pick<RunningBenchmark, 'address' | 'bodies' | 'arithmetic'> & {
  readonly server: Pick<ServerProcess<Task & { readonly ask: 'cpu' | 'primes' }>, 'ask'>
}

export function randomNonce(): bigint {
  return BigInt(`0x${randomBytes(16).toString('hex')}`)
}

/** Runs a session server in a separate process while `work` runs. It uses SQLite unless the options differ. */
export async function withServer<Result>(
  { request, makeBodies, options: more, nonce = randomNonce() }: ServedSessions,
  work: (running: RunningBenchmark) => Promise<Result>,
): Promise<Result> {
  const folder = await temporaryFolder()
  const bodies = await makeBodies(join(folder.path, 'wallet'), nonce, MESSAGES)
  const port = await freePort()
  const store = `sqlite:${join(folder.path, 'sessions.sqlite')}`
  const where = { port, url: `http://127.0.0.1:${port}`, listen_addr: '127.0.0.1' }
  const options = { ...where, store, schemes_path: DEMO_SCHEMES, log_json: true, ...more }
  const inspectorFile = join(folder.path, 'inspector')
  const server = startSessionProcess(join(folder.path, 'log'))
  try {
    await server.ask({ ask: 'start', start: { options, nonce, inspectorFile } })
    const facts = { schemes: await loadSchemes(DEMO_SCHEMES), profile: PROFILE, nonce, request }
    const works = await Promise.all(bodies.map(body => arithmeticOf(body, facts)))
    const all = (): void => {
      for (const each of works) each()
    }
    const arithmetic = (): number => cpuMs(1, all) / bodies.length
    return await work({ server, address: where.url, bodies, arithmetic, inspectorFile })
  } finally {
    await server.stop()
    await folder.remove()
  }
}

/** The settings that a server on one core chooses itself. */
export const ON_ONE_CORE = { workers: 1, short_checks: 'here' }

export async function measureSessions(sessions: Sessions): Promise<readonly Round[]> {
  return settled(await allRounds(sessions))
}

/** All rounds, from the server's first session on. */
export function allRounds(sessions: Sessions): Promise<readonly Round[]> {
  const options = { ...ON_ONE_CORE, ...sessions.options }
  return withServer({ ...sessions, options }, async running => {
    const rounds: Round[] = []
    for (let round = 0; round < ALL_ROUNDS; round++) rounds.push(await measureRound(running, sessions))
    return rounds
  })
}

/** The rounds after the warm-up. */
export function settled<Each>(rounds: readonly Each[]): readonly Each[] {
  return rounds.slice(WARM_UP_ROUNDS)
}

/** CPU ms of a whole session. */
export function wholeOf({ create, connect, submit, result }: Round): number {
  return create + connect + submit + result
}

/** Prints medians. `ratio`: the whole session to its arithmetic, per round. */
export function summary(rounds: readonly Round[]) {
  const of = (part: (round: Round) => number): number => rounded(median(rounds.map(part)))
  return {
    sessions: rounds.length * SESSIONS_PER_ROUND,
    createMs: of(round => round.create),
    connectMs: of(round => round.connect),
    submitMs: of(round => round.submit),
    resultMs: of(round => round.result),
    wholeMs: of(wholeOf),
    perSecond: Math.floor(1_000 / of(wholeOf)),
    arithmeticMs: of(round => round.arithmetic),
    ratio: of(round => wholeOf(round) / round.arithmetic),
    primesMs: of(round => round.primes),
    p99ToMedian: of(round => round.waits),
  }
}
