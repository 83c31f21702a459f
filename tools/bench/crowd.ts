/** Waiting time of honest wallets beside a crowd that submits junk (spec/decisions#d16, #d26). 100 sessions whose requests allow 20 proofs get 20 each that are
 *  well-formed and wrong; 100 more get 256 each, all at once. 20 wallets submit at the same moment. It then measures the same 20 without the crowd. The server, the crowd
 *  and the wallets are separate processes. @module */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { PROFILES } from '../../protocol/profiles.ts'
import { freePort } from '../../test/cli/run-svc.ts'
import { DEMO_SCHEMES } from '../../test/project.ts'
import { temporaryFolder } from '../../test/schemes/make-scheme.ts'
import { median, percentile, rounded } from './cpu.ts'
import { type Answer, call } from './crowd/call.ts'
import type { Crowd } from './crowd/crowd.ts'
import { startSessionProcess } from './sessions/measure.ts'
import { ATTRIBUTE, makeBodies } from './sessions.ts'

const ROUNDS = 5
const WALLETS = 20
const CROWD = 100
/** The items of the request. A request with 16 items allows 20 proofs (spec/decisions#d26). */
const ITEMS = 16
const PROFILE = PROFILES.svc
const APP = {
  [PROFILE.minVersionHeader]: '2.8',
  [PROFILE.maxVersionHeader]: '2.8',
  authorization: 'benchmark',
}

function requestFor(items: number): string {
  const disclose = Array.from({ length: items }, () => [[ATTRIBUTE]])
  return JSON.stringify({ '@context': `${PROFILE.contextBase}/ld/request/disclosure/v2`, disclose })
}

/** Starts sessions and connects a wallet app to each. @returns their addresses */
async function connected(address: string, request: string, count: number): Promise<string[]> {
  const addresses: string[] = []
  for (let i = 0; i < count; i++) {
    const created = await call('POST', `${address}/session`, { 'content-type': 'application/json' }, request)
    const { u } = JSON.parse(created.text).sessionPtr
    const { status } = await call('GET', u, APP)
    if (status !== 200) throw new Error(`benchmark: expected 200 for the first GET, got ${status}`)
    addresses.push(u)
  }
  return addresses
}

type Server = { readonly address: string; readonly others: ChildProcess }

type Bodies = { readonly right: readonly string[]; readonly junk20: string; readonly junk256: string }

/** @returns the answers to the wallets, and the number of the crowd's answers by status */
async function round({ address, others }: Server, { right, junk20, junk256 }: Bodies, crowd: number) {
  const wallets = await connected(address, requestFor(1), WALLETS)
  const large = await connected(address, requestFor(ITEMS), crowd)
  const small = await connected(address, requestFor(1), crowd)
  const submissions = [
    ...large.map(u => [`${u}/proofs`, 0] as const),
    ...small.map(u => [`${u}/proofs`, 1] as const),
  ]
  const told = once(others, 'message')
  others.send({ headers: APP, submissions, bodies: [junk20, junk256] } satisfies Crowd)
  const answers: Answer[] = await Promise.all(
    wallets.map((u, i) => call('POST', `${u}/proofs`, APP, right[i])),
  )
  const [statuses]: readonly (readonly number[])[] = await told
  return { answers, statuses }
}

async function measure(server: Server, bodies: Bodies, crowd: number) {
  const p95s: number[] = []
  const ofCrowd: Record<number, number> = {}
  let refused = 0
  for (let i = 0; i < ROUNDS; i++) {
    const { answers, statuses } = await round(server, bodies, crowd)
    p95s.push(
      percentile(
        answers.map(({ ms }) => ms),
        0.95,
      ),
    )
    refused += answers.filter(({ status, text }) => status !== 200 || !text.includes('"VALID"')).length
    for (const status of statuses ?? []) ofCrowd[status] = (ofCrowd[status] ?? 0) + 1
  }
  return { p95Ms: rounded(median(p95s)), p95sMs: p95s.map(rounded), refused, ofCrowd }
}

/** Prints one line: p95 of the wallets' waiting time without and with the crowd, and the ratio (aim: at most 3; none refused). */
export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const folder = await temporaryFolder()
  const nonce = BigInt(`0x${randomBytes(16).toString('hex')}`)
  const right = await makeBodies(join(folder.path, 'wallet'), nonce, WALLETS)
  const [proof] = JSON.parse(right[0] ?? '').proofs
  // each proof is valid by itself, but the shared challenge is wrong: the server finds this only after it calculated all of them
  const junk = (count: number): string => JSON.stringify({ proofs: Array(count).fill(proof), indices: [] })
  const bodies = { right, junk20: junk(20), junk256: junk(256) }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const options = {
    port,
    url,
    listen_addr: '127.0.0.1',
    schemes_path: DEMO_SCHEMES,
    log_json: true,
    store: `sqlite:${join(folder.path, 'sessions.sqlite')}`,
  }
  const server = startSessionProcess(join(folder.path, 'log'))
  const others = fork(new URL(`./crowd/crowd${import.meta.url.slice(-3)}`, import.meta.url))
  const at = { address: url, others }
  try {
    await server.ask({ ask: 'start', start: { options, nonce } })
    await measure(at, bodies, 0) // warm-up for the compiler
    const alone = await measure(at, bodies, 0)
    const beside = await measure(at, bodies, CROWD)
    const ratio = rounded(beside.p95Ms / alone.p95Ms)
    if (json) console.log(JSON.stringify({ name: 'crowd', wallets: WALLETS, alone, beside, ratio }))
    else console.table({ alone, beside, ratio: { p95Ms: ratio } })
  } finally {
    others.disconnect()
    await server.stop()
    await folder.remove()
  }
}
