/** CPU of a whole disclosure session over HTTP on SQLite (2048 bits; secret key, metadata and 4 attributes, of which 1 is disclosed): create, first
 *  GET, proofs, result, with 8 wallets at a time. The server is a process of its own and only its CPU counts, that of its worker threads
 *  included; the wallets' proofs are made beforehand, for the server's challenge is fixed. The check of a proof alone is measured in the
 *  same process in the same round: `ratio` is the whole session to that. @module */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseArithmetic } from '../crypto/bignum/choose.ts'
import { parseAttributeTypeId, parseCredentialTypeId } from '../protocol/ids.ts'
import { PROFILES } from '../protocol/profiles.ts'
import { loadSchemes } from '../schemes/load.ts'
import { freePort } from '../test/cli/run-svc.ts'
import { DEMO_SCHEMES } from '../test/project.ts'
import { temporaryFolder } from '../test/schemes/make-scheme.ts'
import { walletWith } from '../test/wallet/sign-credentials.ts'
import { disclosureBody } from '../wallet/submission.ts'
import { call, forAll } from './sessions/client.ts'
import type { Start, Task } from './sessions/server.ts'

const ROUNDS = 7
const SESSIONS_PER_ROUND = 200
const MESSAGES = 100
const TYPE = parseCredentialTypeId('svc-demo.uni.student')
const ATTRIBUTE = parseAttributeTypeId(`${TYPE}.university`)
const KEY_COUNTER = 1
const PROFILE = PROFILES.svc
const JSON_BODY = { 'content-type': 'application/json' }
const APP = {
  [PROFILE.minVersionHeader]: '2.4',
  [PROFILE.maxVersionHeader]: '2.8',
  authorization: 'benchmark',
}
const REQUEST = JSON.stringify({
  request: { '@context': `${PROFILE.contextBase}/ld/request/disclosure/v2`, disclose: [[[ATTRIBUTE]]] },
})

/** Bodies of proofs POSTs, each with other randomness. */
async function makeBodies(dir: string, nonce: bigint): Promise<string[]> {
  const schemes = await loadSchemes(DEMO_SCHEMES)
  const deps = { schemes, arithmetic: chooseArithmetic('auto'), clock: Date, randomBytes }
  const attributes = { university: 'Voorbeeld', studentnumber: 's1234567', level: 'master' }
  const wallet = await walletWith(dir, [{ type: TYPE, attributes }], deps)
  const disclose = [[[{ type: ATTRIBUTE, value: null, notNull: false }]]]
  const { items } = wallet.candidates({ disclose, skipExpiryCheck: [] })
  const chosen = items.flatMap(({ candidates }) => candidates.slice(0, 1))
  const bodies = Array.from({ length: MESSAGES }, () =>
    disclosureBody(wallet, chosen, { context: 1n, nonce }),
  )
  await wallet.close()
  return bodies
}

type Server = { ask(task: Task): Promise<number>; stop(): Promise<void> }

/** @param log file for what the server logs, one line per call */
function startProcess(log: string): Server {
  const file = new URL(`./sessions/server${import.meta.url.slice(-3)}`, import.meta.url)
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

type Round = Readonly<Record<'create' | 'connect' | 'submit' | 'result' | 'check', number>>

/** CPU ms per session of each step, and of one check alone. */
async function measureRound(server: Server, address: string, bodies: readonly string[]): Promise<Round> {
  const measured = async <Result>(step: () => Promise<Result>): Promise<readonly [Result, number]> => {
    const before = await server.ask({ ask: 'cpu' })
    const result = await step()
    return [result, ((await server.ask({ ask: 'cpu' })) - before) / SESSIONS_PER_ROUND]
  }
  const rounds = Array.from({ length: SESSIONS_PER_ROUND })
  const post = () => call('POST', `${address}/session`, JSON_BODY, REQUEST)
  const [created, create] = await measured(() => forAll(rounds, post))
  const sessions = created.map(text => JSON.parse(text))
  const [, connect] = await measured(() =>
    forAll(sessions, ({ sessionPtr }) => call('GET', sessionPtr.u, APP)),
  )
  const [, submit] = await measured(() =>
    forAll(sessions, ({ sessionPtr }, i) =>
      call('POST', `${sessionPtr.u}/proofs`, APP, bodies[i % bodies.length]),
    ),
  )
  const [results, result] = await measured(() =>
    forAll(sessions, ({ token }) => call('GET', `${address}/session/${token}/result`, {})),
  )
  if (!results.every(text => JSON.parse(text).proofStatus === 'VALID'))
    throw new Error('benchmark: expected every session to be VALID')
  const check = (await server.ask({ ask: 'check' })) / bodies.length
  return { create, connect, submit, result, check }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

function summary(rounds: readonly Round[]) {
  const rounded = (of: (round: Round) => number): number => Number(median(rounds.map(of)).toFixed(3))
  const whole = ({ create, connect, submit, result }: Round): number => create + connect + submit + result
  return {
    createMs: rounded(round => round.create),
    connectMs: rounded(round => round.connect),
    submitMs: rounded(round => round.submit),
    resultMs: rounded(round => round.result),
    wholeMs: rounded(whole),
    checkMs: rounded(round => round.check),
    ratio: rounded(round => whole(round) / round.check),
  }
}

async function measure(folder: string): Promise<readonly Round[]> {
  const nonce = BigInt(`0x${randomBytes(16).toString('hex')}`)
  const bodies = await makeBodies(join(folder, 'wallet'), nonce)
  const port = await freePort()
  const store = `sqlite:${join(folder, 'sessions.sqlite')}`
  const where = { port, url: `http://127.0.0.1:${port}`, listen_addr: '127.0.0.1' }
  const options = { ...where, store, schemes_path: DEMO_SCHEMES, log_json: true }
  const start: Start = { options, type: TYPE, keyCounter: KEY_COUNTER, nonce, bodies }
  const server = startProcess(join(folder, 'log'))
  try {
    await server.ask({ ask: 'start', start })
    const rounds: Round[] = []
    for (let round = 0; round <= ROUNDS; round++) rounds.push(await measureRound(server, where.url, bodies))
    return rounds.slice(1) // the first one warms up: code, tables of the key, connections
  } finally {
    await server.stop()
  }
}

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const folder = await temporaryFolder()
  try {
    const rounds = await measure(folder.path)
    const facts = {
      name: 'sessions',
      node: process.version,
      store: 'sqlite',
      bits: 2048,
      hidden: 4,
      disclosed: 2,
    }
    const result = { ...facts, sessions: ROUNDS * SESSIONS_PER_ROUND, ...summary(rounds) }
    if (json) console.log(JSON.stringify(result))
    else console.table(result)
  } finally {
    await folder.remove()
  }
}
