/** CPU of a whole login at an OpenID provider over HTTP on SQLite, on a desktop with pairing: eleven calls and an event stream. It is compared with a bare disclosure
 *  session of the same attributes at a session server. Both servers are processes of their own, and each round measures one after the other, with 8 users at a time.
 *  @module */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { storageKeyFile } from '../../accounts/storage-keys.ts'
import { parseAttributeTypeId, parseCredentialTypeId } from '../../protocol/ids.ts'
import { freePort } from '../../test/cli/run-svc.ts'
import { DEMO_SCHEMES } from '../../test/project.ts'
import { temporaryFolder } from '../../test/schemes/make-scheme.ts'
import { median, rounded } from './cpu.ts'
import { BACK, CLIENT, login } from './oidc/logins.ts'
import type { OidcTask } from './oidc/server.ts'
import { CALLS_UNTIL_SETTLED, type ServerProcess, startProcess } from './server-process.ts'
import { dropConnections, forAll } from './sessions/client.ts'
import { disclosuresOf } from './sessions/disclosures.ts'
import {
  cpuOf,
  measureRound,
  ON_ONE_CORE,
  PROFILE,
  type RunningBenchmark,
  randomNonce,
  wholeOf,
  withServer,
} from './sessions/measure.ts'

const LOGINS = 100
const ROUNDS = 11
const CALLS_OF_A_LOGIN = 11
/** The warm-up rounds, after which the provider is settled. */
const WARM_UP_ROUNDS = Math.ceil(CALLS_UNTIL_SETTLED / CALLS_OF_A_LOGIN / LOGINS)
/** Sessions before, and again after, the logins of a round. The session server is settled at the same time; a session has four calls. */
const SESSIONS = Math.ceil(CALLS_UNTIL_SETTLED / 4 / WARM_UP_ROUNDS / 2)

const TYPE = parseCredentialTypeId('svc-demo.gov.registration')
const [NUMBER, OVER_18] = [parseAttributeTypeId(`${TYPE}.number`), parseAttributeTypeId(`${TYPE}.over18`)]
const REQUEST = JSON.stringify({
  request: {
    '@context': `${PROFILE.contextBase}/ld/request/disclosure/v2`,
    disclose: [[[NUMBER, OVER_18]]],
  },
})

function makeBodies(folder: string, nonce: bigint, count: number): Promise<string[]> {
  const held = { type: TYPE, attributes: { number: '999990342', over18: 'yes' } }
  return disclosuresOf(held, { attributes: [NUMBER, OVER_18], nonRevocation: [] }, folder, nonce, count)
}

type Provider = { readonly server: ServerProcess<OidcTask>; readonly issuer: string }

async function withProvider<Result>(
  nonce: bigint,
  work: (provider: Provider) => Promise<Result>,
): Promise<Result> {
  const folder = await temporaryFolder()
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const [key, salt] = [join(folder.path, 'storage.key'), join(folder.path, 'salt')]
  writeFileSync(key, storageKeyFile(0, randomBytes(32)), { mode: 0o600 })
  writeFileSync(salt, randomBytes(32).toString('hex'), { mode: 0o600 })
  const options = {
    port,
    url: issuer,
    listen_addr: '127.0.0.1',
    schemes_path: DEMO_SCHEMES,
    log_json: true,
    ...ON_ONE_CORE,
    logins_per_caller: 0,
    logins_per_minute: 0,
    store: `sqlite:${join(folder.path, 'oidc.sqlite')}`,
    storage_primary_key_file: key,
    claims: { over18: { attribute: OVER_18, convert: 'boolean' } },
    scopes: { age: ['over18'] },
    subject: { attribute: NUMBER, salt_file: salt },
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [BACK], scopes: ['age'] }],
  }
  const file = new URL(`./oidc/server${import.meta.url.slice(-3)}`, import.meta.url)
  const server: Provider['server'] = startProcess(file, join(folder.path, 'log'))
  try {
    await server.ask({ ask: 'start', options, nonce })
    return await work({ server, issuer })
  } finally {
    await server.stop()
    await folder.remove()
  }
}

type Round = { readonly loginMs: number; readonly sessionMs: number }

async function measure({ server, issuer }: Provider, bare: RunningBenchmark): Promise<Round[]> {
  const { bodies } = bare
  const logins = Array.from({ length: LOGINS })
  const rounds: Round[] = []
  const sessions = { request: REQUEST, path: 'proofs', makeBodies, primesPerSession: 0 } as const
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const before = wholeOf(await measureRound(bare, sessions, SESSIONS))
    dropConnections()
    const [, loginMs] = await cpuOf(server, LOGINS, () =>
      forAll(logins, (_, i) => login(issuer, bodies[i % bodies.length] ?? '')),
    )
    // measured before and after, because the speed of the processor varies
    const after = wholeOf(await measureRound(bare, sessions, SESSIONS))
    if (round >= WARM_UP_ROUNDS) rounds.push({ loginMs, sessionMs: (before + after) / 2 })
  }
  return rounds
}

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const nonce = randomNonce()
  const sessions = { request: REQUEST, makeBodies, nonce, options: ON_ONE_CORE }
  const rounds = await withProvider(nonce, provider => withServer(sessions, bare => measure(provider, bare)))
  const of = (part: (round: Round) => number): number => rounded(median(rounds.map(part)))
  const result = {
    name: 'oidc',
    node: process.version,
    store: 'sqlite',
    bits: 2048,
    logins: rounds.length * LOGINS,
    calls: CALLS_OF_A_LOGIN,
    loginMs: of(({ loginMs }) => loginMs),
    sessionMs: of(({ sessionMs }) => sessionMs),
    ratio: of(({ loginMs, sessionMs }) => loginMs / sessionMs),
  }
  if (json) console.log(JSON.stringify(result))
  else console.table(result)
}
