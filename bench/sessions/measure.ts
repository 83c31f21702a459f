/** CPU of whole sessions over HTTP on SQLite: create, first GET, submission, result, with 8 wallets at a time. The server is a process of its own and
 *  only its CPU counts, that of its worker threads and of the compiler included; what the wallets submit is made beforehand, for the server's
 *  challenge is fixed. The arithmetic of a session alone is measured in the same process in the same round. Primes are found
 *  between the rounds, as a server does when it has nothing else to do. @module */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROFILES } from '../../protocol/profiles.ts'
import { freePort } from '../../test/cli/run-svc.ts'
import { DEMO_SCHEMES } from '../../test/project.ts'
import { temporaryFolder } from '../../test/schemes/make-scheme.ts'
import { median, rounded } from '../cpu.ts'
import { call, dropConnections, forAll } from './client.ts'
import type { Task } from './server.ts'

const ROUNDS = 15
/** Until the compiler has settled, whose threads count too: a server of these sessions gets faster for 4,000 of them. */
const WARM_UP_ROUNDS = 20
export const SESSIONS_PER_ROUND = 200
const MESSAGES = 100
export const PROFILE = PROFILES.svc
const JSON_BODY = { 'content-type': 'application/json' }
const APP = {
  [PROFILE.minVersionHeader]: '2.4',
  [PROFILE.maxVersionHeader]: '2.8',
  authorization: 'benchmark',
}

/** One kind of session. */
export type Sessions = {
  /** session request */
  readonly request: string
  readonly path: 'proofs' | 'commitments'
  /** @returns so many bodies that answer the nonce, each with other randomness */
  readonly makeBodies: (folder: string, nonce: bigint, count: number) => Promise<string[]>
  readonly primesPerSession: number
}

export type Server = { ask(task: Task): Promise<number>; stop(): Promise<void> }

/** @param log file for what the server logs, one line per call */
export function startProcess(log: string): Server {
  const file = new URL(`./server${import.meta.url.slice(-3)}`, import.meta.url)
  const output = openSync(log, 'w')
  const child = fork(file, { serialization: 'advanced', stdio: ['ignore', 'ignore', output, 'ipc'] })
  closeSync(output)
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', () =>
      reject(new Error(`benchmark: the server ended: ${readFileSync(log, 'utf8').slice(-2_000)}`)),
    )
  })
  ended.catch(() => undefined) // told to whoever asks
  return {
    ask(task) {
      const answer = new Promise<number>(resolve => child.once('message', resolve))
      child.send(task)
      return Promise.race([answer, ended])
    },
    async stop() {
      child.removeAllListeners('exit').disconnect()
      await once(child, 'exit')
    },
  }
}

type Step = 'create' | 'connect' | 'submit' | 'result'
export type Round = Readonly<Record<Step | 'arithmetic' | 'primes', number>>

/** CPU ms per session of each step, of its arithmetic alone, and of the primes that it uses. */
async function measureRound(
  server: Server,
  address: string,
  { request, path, primesPerSession }: Sessions,
  bodies: readonly string[],
): Promise<Round> {
  const measured = async <Result>(step: () => Promise<Result>): Promise<readonly [Result, number]> => {
    const before = await server.ask({ ask: 'cpu' })
    const result = await step()
    return [result, ((await server.ask({ ask: 'cpu' })) - before) / SESSIONS_PER_ROUND]
  }
  const count = SESSIONS_PER_ROUND * primesPerSession
  const primes = (await server.ask({ ask: 'primes', count })) / SESSIONS_PER_ROUND
  dropConnections()
  const rounds = Array.from({ length: SESSIONS_PER_ROUND })
  const post = () => call('POST', `${address}/session`, JSON_BODY, request)
  const [created, create] = await measured(() => forAll(rounds, post))
  const sessions = created.map(text => JSON.parse(text))
  const [, connect] = await measured(() =>
    forAll(sessions, ({ sessionPtr }) => call('GET', sessionPtr.u, APP)),
  )
  // on both sides of what is compared with it: the processor is not equally fast all the time
  const arithmeticBefore = await server.ask({ ask: 'arithmetic' })
  const [, submit] = await measured(() =>
    forAll(sessions, ({ sessionPtr }, i) =>
      call('POST', `${sessionPtr.u}/${path}`, APP, bodies[i % bodies.length]),
    ),
  )
  const arithmeticAfter = await server.ask({ ask: 'arithmetic' })
  const [results, result] = await measured(() =>
    forAll(sessions, ({ token }) => call('GET', `${address}/session/${token}/result`, {})),
  )
  if (!results.every(text => JSON.parse(text).proofStatus === 'VALID'))
    throw new Error('benchmark: expected every session to be VALID')
  const arithmetic = (arithmeticBefore + arithmeticAfter) / 2 / bodies.length
  return { create, connect, submit, result, arithmetic, primes }
}

export async function measureSessions(sessions: Sessions): Promise<readonly Round[]> {
  const folder = await temporaryFolder()
  const nonce = BigInt(`0x${randomBytes(16).toString('hex')}`)
  const bodies = await sessions.makeBodies(join(folder.path, 'wallet'), nonce, MESSAGES)
  const port = await freePort()
  const store = `sqlite:${join(folder.path, 'sessions.sqlite')}`
  const where = { port, url: `http://127.0.0.1:${port}`, listen_addr: '127.0.0.1' }
  const options = { ...where, store, schemes_path: DEMO_SCHEMES, log_json: true }
  const server = startProcess(join(folder.path, 'log'))
  try {
    await server.ask({ ask: 'start', start: { options, nonce, request: sessions.request, bodies } })
    const rounds: Round[] = []
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
      rounds.push(await measureRound(server, where.url, sessions, bodies))
    return rounds.slice(WARM_UP_ROUNDS)
  } finally {
    await server.stop()
    await folder.remove()
  }
}

/** Medians; `ratio` is the whole session to its arithmetic, in each round. */
export function summary(rounds: readonly Round[]) {
  const of = (part: (round: Round) => number): number => rounded(median(rounds.map(part)))
  const whole = ({ create, connect, submit, result }: Round): number => create + connect + submit + result
  return {
    sessions: rounds.length * SESSIONS_PER_ROUND,
    createMs: of(round => round.create),
    connectMs: of(round => round.connect),
    submitMs: of(round => round.submit),
    resultMs: of(round => round.result),
    wholeMs: of(whole),
    arithmeticMs: of(round => round.arithmetic),
    ratio: of(round => whole(round) / round.arithmetic),
    primesMs: of(round => round.primes),
  }
}
