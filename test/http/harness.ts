/** A session server for one test: over real HTTP on a free port, by default on the memory store. The test moves the clock, random values are counted up, and every log line is
 *  recorded. @module */
import { pino } from 'pino'
import type { SessionLimits } from '../../actors/create-sessions.ts'
import type { EffectDeps } from '../../actors/effects/create-effects.ts'
import type { Effects } from '../../actors/effects/effects.ts'
import type { Inspection } from '../../actors/inspection/inspection.ts'
import type { Revocation } from '../../actors/revocation/revocation.ts'
import type { Sessions } from '../../actors/sessions.ts'
import type { SessionServer } from '../../http/server.ts'
import type { RequestorSettings, ServerSettings } from '../../http/settings.ts'
import type { SessionChart } from '../../machines/session.ts'
import type { Fetch } from '../../ports/fetch.ts'
import type { LoopWatch } from '../../ports/loop-watch.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import type { Schemes } from '../../schemes/types.ts'
import { createNode } from '../../server/create-node.ts'
import type { Metrics } from '../../server/metrics/metrics.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { SessionServerStore } from '../../stores/store.ts'
import { NO_REVOCATION } from '../actors/no-revocation.ts'
import { ASKED, SIGNED, VALID } from '../actors/node.ts'
import { idlePool, noNetwork, type SettingsOfTest, settingsOfTest } from '../server/node-of-test.ts'
import { type Answer, type Client, clientOf } from './client.ts'

export const URL_OF_SERVER = 'http://sessions.example:8088/'
export const OVER18 = 'svc-demo.gov.idcard.over18'
export const APP = 'authorization-of-the-app'

/** A requestor with some permissions. `AUTHENTICATED` also has one without any. */
export const SHOP: RequestorSettings = {
  name: 'shop',
  auth: { method: 'token', token: 'token-of-the-shop' },
  disclosePerms: ['svc-demo.gov.idcard.*'],
  signPerms: [],
  issuePerms: [],
  revokePerms: [],
  hostPerms: ['*.shop.example'],
}
export const AUTHENTICATED: SettingsOfTest = {
  noAuth: false,
  requestors: [
    SHOP,
    {
      ...SHOP,
      name: 'powerless',
      auth: { method: 'token', token: 'token-of-nobody' },
      disclosePerms: [],
      hostPerms: [],
    },
  ],
  permissions: { disclosePerms: [] },
}
export const OF_SHOP = { Authorization: 'token-of-the-shop' }
const EFFECTS: Effects = { check: async () => VALID, askNext: async () => ASKED, sign: async () => SIGNED }

/** The same with one requestor. It may name only the host of the server. */
export const OF_ONE_SHOP = { ...AUTHENTICATED, requestors: [{ ...SHOP, hostPerms: [] }] }

export type ServerOfTest = Client & {
  readonly clock: SimulatedClock
  readonly settings: ServerSettings
  readonly sessions: Sessions
  readonly store: SessionServerStore
  readonly server: SessionServer
  /** the separate listener of clients; null: there is none */
  readonly clientServer: SessionServer | null
  /** calls the listener of clients, which may be the only listener */
  readonly clients: Client
  readonly clientPort: number
  readonly port: number
  /** the log lines, in JSON */
  readonly log: string[]
  /** everything that must never be logged */
  readonly secrets: string[]
  /** stops the whole node */
  close(): Promise<void>
  /** as stored */
  rowOf(session: SessionOfTest): Promise<SessionRow>
  /** POST /session */
  post(body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** a new session for a disclosure request with these members added */
  create(members?: object, extended?: object): Promise<SessionOfTest>
}

export type SessionOfTest = {
  /** `/session/{requestorToken}` */
  readonly requestor: string
  /** `/svc/session/{clientToken}` */
  readonly app: string
  /** `/svc/session/{clientToken}/frontend` */
  readonly frontend: string
  readonly requestorToken: string
  readonly clientToken: string
  /** header of the frontend */
  readonly authorization: { readonly Authorization: string }
}

export type MakeEffects = (parts: EffectDeps) => Partial<Effects>

export type Parts = {
  readonly settings?: SettingsOfTest
  /** replaces the demo schemes */
  readonly schemes?: Schemes
  readonly effects?: Partial<Effects> | MakeEffects
  readonly limits?: Partial<SessionLimits>
  /** replaces the real sessions */
  readonly wrapSessions?: (sessions: Sessions) => Sessions
  readonly isOverloaded?: (requestor?: string) => boolean
  /** true if a worker thread is ready */
  readonly hasThread?: () => boolean
  /** clients have a listener of their own */
  readonly isApart?: boolean
  readonly revocation?: Partial<Revocation>
  /** replaces the store in memory, unless the settings name another store */
  readonly store?: SessionServerStore
  /** makes calls to other servers; by default they are not made */
  readonly fetch?: Fetch
  /** replaces the session chart */
  readonly chart?: SessionChart
  /** the clock of another server of the same test */
  readonly clock?: SimulatedClock
  /** watches the event loop; by default the loop never blocks */
  readonly loop?: LoopWatch
  /** the view of the actors for inspectors */
  readonly inspection?: Inspection
  readonly metrics?: Metrics
}

export async function withServer(parts: Parts, use: (server: ServerOfTest) => Promise<void>): Promise<void> {
  const started = await startServer(parts)
  try {
    await use(started)
  } finally {
    const closed = started.close()
    started.clock.advance(started.settings.limits.stopMs)
    await closed
  }
}

async function startServer(parts: Parts): Promise<ServerOfTest> {
  const clock = parts.clock ?? createSimulatedClock(Date.UTC(2026, 5, 1))
  const lines: string[] = []
  const clientPort = parts.isApart ? 1 : 0 // the test chooses where they listen
  const settings = settingsOfTest({ url: URL_OF_SERVER, clientPort, ...parts.settings }, parts.schemes)
  const random = countingRandomness()
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const { effects, limits: sessionLimits, wrapSessions: sessions, fetch = noNetwork, chart } = parts
  const store = settings.store === '' ? (parts.store ?? createMemoryStore()) : null
  const node = await createNode(settings, {
    ...{ clock, random, log, fetch, inspection: parts.inspection, metrics: parts.metrics, loop: parts.loop },
    instead: {
      ...(store && { store }),
      pool: { ...idlePool(parts.isOverloaded), ...(parts.hasThread && { hasThread: parts.hasThread }) },
      revocation: { ...NO_REVOCATION, ...parts.revocation },
      effects: deps => ({ ...EFFECTS, ...(typeof effects === 'function' ? effects(deps) : effects) }),
      ...(sessionLimits && { sessionLimits }),
      ...(sessions && { sessions }),
      ...(chart && { chart }),
    },
  })
  const { server, clientServer, close } = node
  const { port } = await server.listen(0, '127.0.0.1')
  const client = clientOf(port)
  const portOfClients = (await clientServer?.listen(0, '127.0.0.1'))?.port ?? port
  const { secrets } = random
  return {
    ...client,
    ...{ clock, settings, sessions: node.sessions, store: node.store, server, clientServer, port, secrets },
    log: lines,
    ...{ clients: clientOf(portOfClients), clientPort: portOfClients, close },
    ...helpers(client, settings, node.sessions),
  }
}

function helpers(client: Client, { profile, apiPrefix }: ServerSettings, sessions: Sessions) {
  const post: ServerOfTest['post'] = (body, headers) =>
    client.call('POST', `${apiPrefix}/session`, {
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    })
  const create: ServerOfTest['create'] = async (members, extended) => {
    const answer = await post({ ...extended, request: { ...disclosure(profile.contextBase), ...members } })
    return sessionIn(answer, profile.prefix)
  }
  const rowOf: ServerOfTest['rowOf'] = async ({ clientToken }) => {
    const row = await sessions.findByClientToken(clientToken)
    if (row === null) throw new Error('no such session')
    return row
  }
  return { post, create, rowOf }
}

/** The sessions, with some methods replaced. */
export function withMethods(sessions: Sessions, methods: Partial<Sessions>): Sessions {
  return new Proxy(sessions, {
    get(target, name: keyof Sessions) {
      const method = methods[name] ?? target[name]
      return method.bind(target)
    },
  })
}

/** A disclosure request for one attribute. */
export function disclosure(contextBase = 'https://svc.example'): object {
  return { '@context': `${contextBase}/ld/request/disclosure/v2`, disclose: [[[OVER18]]] }
}

/** Reads a session package. */
export function sessionIn({ status, text, json }: Answer, prefix = '/svc'): SessionOfTest {
  if (status !== 200) throw new Error(`POST /session: ${status} ${text}`)
  const { sessionPtr, token, frontendRequest } = json as {
    sessionPtr: { u: string }
    token: string
    frontendRequest: { authorization: string }
  }
  const clientToken = sessionPtr.u.slice(sessionPtr.u.lastIndexOf('/') + 1)
  return {
    requestor: `/session/${token}`,
    app: `${prefix}/session/${clientToken}`,
    frontend: `${prefix}/session/${clientToken}/frontend`,
    requestorToken: token,
    clientToken,
    authorization: { Authorization: frontendRequest.authorization },
  }
}

/** The facts that the chart keeps of a session. */
export function factsOf({ snapshot }: SessionRow): Readonly<Record<string, unknown>> {
  return { ...(snapshot?.context as object) }
}

/** The headers of an app: its versions, and its authorization. */
export function appHeaders(
  min = '2.4',
  max = '2.9',
  authorization: string | null = APP,
): Record<string, string> {
  const versions = { 'X-Svc-Minprotocolversion': min, 'X-Svc-Maxprotocolversion': max }
  return authorization === null ? versions : { ...versions, Authorization: authorization }
}

/** Random values that are all different and in a known order. All of them are recorded as secrets. */
export function countingRandomness() {
  const secrets: string[] = []
  let count = 0
  const keep = (text: string) => {
    secrets.push(text)
    return text
  }
  return {
    secrets,
    token: () => keep(`token${String(++count).padStart(15, '0')}`),
    pairingCode: () => String(4000 + ++count),
    nonce: () => BigInt(++count),
    bytes: (length: number) => new Uint8Array(length).fill(++count),
  }
}
