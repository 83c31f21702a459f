/** CPU of a whole login at a keyshare server over HTTP on SQLite (start, PIN, commitments for one key of 2048 bits, response), with 8 wallet apps at a time. Each
 *  round also measures the bare calls: one constant-time power, two checks of ES256 and two signatures of RS256. The server is a separate process. Only its CPU
 *  counts, with its worker threads, the compiler and collection. @module */
import { join } from 'node:path'
import { parsePublicKeyId } from '../../protocol/keyshare/public-key-ids.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { freePort } from '../../test/cli/run-svc.ts'
import { DEMO_SCHEMES, PROJECT } from '../../test/project.ts'
import { temporaryFolder } from '../../test/schemes/make-scheme.ts'
import { cpuMs, median, rounded } from './cpu.ts'
import { bareCallsOf } from './keyshare/bare-calls.ts'
import { KEY, login, newApp } from './keyshare/logins.ts'
import type { KeyshareTask } from './keyshare/server.ts'
import { CALLS_UNTIL_SETTLED, type ServerProcess, startProcess } from './server-process.ts'
import { dropConnections, forAll } from './sessions/client.ts'

const APPS = 100
const ROUNDS = 11
/** The warm-up rounds; each login has four calls. */
const WARM_UP_ROUNDS = CALLS_UNTIL_SETTLED / 4 / APPS
const BARE_TIMES = 50

const keyFile = (name: string): string => join(PROJECT, 'test/vectors/keys', name)
const SIGNER = keyFile('kss-0.private.pem')
const OPTIONS = {
  profile: 'irma',
  listen_addr: '127.0.0.1',
  log_json: true,
  schemes_path: DEMO_SCHEMES,
  keyshare_attribute: 'svc-keyshare.keyshare.keyshare.username',
  storage_primary_key_file: keyFile('storage-key.aes'),
  jwt_privkey_file: SIGNER,
  registrations_per_caller: 0,
  registrations_per_minute: 0,
}

type Server = ServerProcess<KeyshareTask>

type Round = { readonly wholeMs: number; readonly bareMs: number }

async function measureRounds(server: Server, address: string, bare: () => void, note: (ms: number) => void) {
  const apps = await forAll(Array.from({ length: APPS }), () => newApp(address))
  const rounds: Round[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const isMeasured = round >= WARM_UP_ROUNDS
    dropConnections()
    const bareBefore = cpuMs(BARE_TIMES, bare)
    const before = await server.ask({ ask: 'cpu' })
    await forAll(apps, app => login(address, app, isMeasured ? note : () => {}))
    const wholeMs = ((await server.ask({ ask: 'cpu' })) - before) / APPS
    // measured before and after, because the speed of the processor varies
    const bareMs = (bareBefore + cpuMs(BARE_TIMES, bare)) / 2
    if (isMeasured) rounds.push({ wholeMs, bareMs })
  }
  return rounds
}

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const schemes = await loadSchemes(DEMO_SCHEMES)
  const { issuer, counter } = parsePublicKeyId(KEY)
  const key = schemes.publicKey(issuer, counter)
  if (key === undefined) throw new Error(`benchmark: expected the key ${KEY} in the demo schemes, got none`)
  const folder = await temporaryFolder()
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const process = new URL(`./keyshare/server${import.meta.url.slice(-3)}`, import.meta.url)
  const server: Server = startProcess(process, join(folder.path, 'log'))
  const calls: number[] = []
  try {
    const store = `sqlite:${join(folder.path, 'keyshare.sqlite')}`
    await server.ask({ ask: 'start', options: { ...OPTIONS, port, store, url: `${address}/` } })
    const rounds = await measureRounds(server, address, bareCallsOf(key, SIGNER), ms => calls.push(ms))
    show(rounds, calls, json)
  } finally {
    await server.stop()
    await folder.remove()
  }
}

function show(rounds: readonly Round[], calls: readonly number[], json: boolean): void {
  const of = (part: (round: Round) => number): number => rounded(median(rounds.map(part)))
  const sorted = [...calls].sort((a, b) => a - b)
  const result = {
    name: 'keyshare',
    node: process.version,
    store: 'sqlite',
    bits: 2048,
    logins: rounds.length * APPS,
    wholeMs: of(({ wholeMs }) => wholeMs),
    bareMs: of(({ bareMs }) => bareMs),
    ratio: of(({ wholeMs, bareMs }) => wholeMs / bareMs),
    callP50Ms: rounded(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN),
    callP99Ms: rounded(sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN),
  }
  if (json) console.log(JSON.stringify(result))
  else console.table(result)
}
