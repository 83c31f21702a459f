/** All servers as one group of targets, and the check that nothing is left of the calls. @module */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ProfileName } from '../../../protocol/profiles.ts'
import { elapse } from '../../actors/node.ts'
import { apiOf } from '../../openapi/api.ts'
import { until } from '../../patience.ts'
import type { Group } from '../fuzz.ts'
import { Caller } from './send.ts'
import { type FuzzedServer, type Kind, startServer } from './servers.ts'
import { accountStates, sessionStates } from './states.ts'
import { type HttpTarget, httpTarget } from './target.ts'

const KINDS: readonly (readonly [Kind, ProfileName])[] = [
  ['session', 'svc'],
  ['session', 'irma'],
  ['keyshare', 'svc'],
  ['keyshare', 'irma'],
]
const HOUR_MS = 3_600_000
/** Sessions are forgotten after less, and callbacks are given up after 24 hours. */
const UNTIL_FORGOTTEN_MS = 26 * HOUR_MS
/** Heap that may stay: caches fill up, and an account stays. */
const MOST_HEAP = 64 * 2 ** 20
const MOST_PER_ACCOUNT = 16_384

export type Fuzzed = Group & {
  readonly targets: readonly HttpTarget[]
  /** heap after each check, in bytes */
  readonly heaps: readonly number[]
  close(): Promise<void>
}

export async function fuzzedServers(share: number): Promise<Fuzzed> {
  const targets = await Promise.all(KINDS.map(([kind, profile]) => target(kind, profile)))
  const heaps: number[] = []
  return {
    targets,
    share,
    heaps,
    async check() {
      for (const { server, caller } of targets) {
        caller.close()
        const left = await leftOf(server)
        if (left !== null) return left
      }
      heaps.push(heapNow())
      return grown(heaps, await accountsOf(targets))
    },
    async close() {
      for (const { server, caller } of targets) {
        caller.close()
        await server.close()
      }
    },
  }
}

async function target(kind: Kind, profile: ProfileName): Promise<HttpTarget> {
  const server = await startServer(kind, profile)
  const caller = new Caller(server.port)
  const { body } = await caller.send({ method: 'GET', path: '/openapi.json', headers: {}, body: '' })
  const states = kind === 'session' ? sessionStates(server) : accountStates()
  return httpTarget(server, caller, apiOf(body.toString()), states)
}

/** Advances the clock until every row is forgotten, by little more than a day at most. @returns the rows that are left then; null: none */
async function leftOf({ kind, profile, clock, store }: FuzzedServer): Promise<string | null> {
  await until(() => connections() === 0, 'the end of every connection')
  let [sessions, deliveries] = [0, 0]
  for (let passed = 0; passed < UNTIL_FORGOTTEN_MS; passed += HOUR_MS) {
    await elapse(clock, HOUR_MS)
    sessions = await store.sessions.count()
    deliveries = await store.deliveries.count()
    if (sessions + deliveries === 0) return null
  }
  return `${sessions} sessions and ${deliveries} deliveries are left at the ${kind} server, profile ${profile}`
}

function connections(): number {
  return process.getActiveResourcesInfo().filter(name => name === 'TCPSocketWrap').length
}

async function accountsOf(targets: readonly HttpTarget[]): Promise<number> {
  const counts = await Promise.all(targets.map(({ server }) => server.store.accounts.count()))
  return counts.reduce((sum, count) => sum + count, 0)
}

function grown(heaps: readonly number[], accounts: number): string | null {
  const [first = 0] = heaps
  const more = (heaps.at(-1) ?? 0) - first
  if (more <= MOST_HEAP + accounts * MOST_PER_ACCOUNT) return null
  return `the heap has grown by ${Math.round(more / 2 ** 20)} MiB since the first check`
}

let collect: (() => void) | null = null

function heapNow(): number {
  if (collect === null) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc')
  }
  collect?.()
  collect?.()
  return process.memoryUsage().heapUsed
}
