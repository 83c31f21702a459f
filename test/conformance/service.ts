/** A whole service for tests of the specification, row by row: the session server with real schemes, proofs and effects, a wallet that answers it over
 *  HTTP, a timestamp server, and a requestor that is called for the next session. Its clock stands still. @module */
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { createSessions } from '../../actors/create-sessions.ts'
import { createDeliveries } from '../../actors/deliveries/deliveries.ts'
import { type PostDeps, postCallback } from '../../actors/deliveries/post-callback.ts'
import { createEffects, type EffectDeps } from '../../actors/effects/create-effects.ts'
import { createRevocation } from '../../actors/revocation/create-revocation.ts'
import { createProofPool } from '../../actors/workers/proof-pool.ts'
import { integerOf } from '../../crypto/bytes.ts'
import { createTimestampServer } from '../../demo/timestamp-server.ts'
import type { ServerDeps } from '../../http/deps.ts'
import { createSessionServer } from '../../http/server.ts'
import { type ServerOptions, serverSettings } from '../../http/settings.ts'
import {
  createOutgoing,
  type Outgoing,
  type OutgoingAnswer,
  type OutgoingMessage,
} from '../../ports/outgoing.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { AUTHORITY } from '../actors/authority.ts'
import { type Answer, type Client, clientOf } from '../http/client.ts'
import { type SessionOfTest, sessionIn } from '../http/harness.ts'
import { NOW_SEC, schemes } from '../wallet/support.ts'
import { createApp, type Played, type PlayOptions } from './app.ts'

export { NOW_SEC }

export type Service = Client & {
  readonly clock: SimulatedClock
  readonly url: string
  /** where wallet apps call: the same, or a listener of their own */
  readonly clients: Client
  readonly wallet: Wallet
  /** POST /session */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  create(body: unknown, headers?: Readonly<Record<string, string>>): Promise<CreatedSession>
  /** the wallet answers a session, and those after it */
  answer(session: CreatedSession, options?: PlayOptions): Promise<Played>
  /** @param pointer what a QR code holds */
  answerPointer(pointer: string): Promise<Played>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** what requestors answer when they are asked for a next session, in order */
  readonly nextAnswers: OutgoingAnswer[]
  /** what they were sent */
  readonly posted: (OutgoingMessage & { readonly url: string })[]
  /** callbacks as they arrived; each is accepted */
  readonly callbacks: (OutgoingMessage & { readonly url: string })[]
  close(): Promise<void>
}

export type CreatedSession = SessionOfTest & {
  /** what a QR code holds */
  readonly pointer: string
  /** answer to POST /session */
  readonly package: Answer
}

/** revocable types of which it is the authority; of the others it knows nothing */
const AUTHORITY_OF = ['svc-demo.fast.badge', 'svc-demo.gov.permit']
const TIMESTAMP_SERVER = 'http://127.0.0.1:8190/'
const TIMESTAMP_KEYS_EXPIRE_AT_SEC = 2_398_377_600

const random: Randomness = {
  token: () => randomBytes(10).toString('hex'),
  pairingCode: () => '0815',
  nonce: () => integerOf(randomBytes(16)),
  bytes: randomBytes,
}

/** @param isApart wallet apps have a listener of their own */
export async function startService(options: Partial<ServerOptions> = {}, isApart = false): Promise<Service> {
  const clock = createSimulatedClock(NOW_SEC * 1_000)
  const pool = createProofPool({ arithmetic: 'auto', threads: 1 })
  const stamps = createTimestampServer({ clock, expiresAtSec: TIMESTAMP_KEYS_EXPIRE_AT_SEC })
  const stampsUrl = await stamps.listen(0, '127.0.0.1')
  const toStamps = (url: string): string => url.replace(TIMESTAMP_SERVER, stampsUrl)
  const settings = serverSettings({ url: 'http://127.0.0.1', ...options })
  const others = recordingOthers(createOutgoing({ fetch, clock }), toStamps)
  const { outgoing } = others
  const parts = { clock, random, settings, noteUnknownMembers: () => {} }
  const { sessions, revocation, close } = await startWork({ ...parts, pool, outgoing })
  const log = pino({ level: 'silent' })
  const { isOverloaded } = pool
  const deps = { ...parts, schemes, sessions, revocation, log, isOverloaded }
  const { port, clientPort, closeServers } = await listen(deps, isApart)
  const url = `http://127.0.0.1:${clientPort}${settings.apiPrefix}/`
  Object.assign(settings, { url }) // the port is known only now
  const client = clientOf(port)
  const app = await createApp(clock, toStamps)
  const host = new URL(url).host
  const postSession: Service['post'] = (body, headers) =>
    client.call('POST', `${settings.apiPrefix}/session`, {
      headers: { host, 'Content-Type': 'application/json', ...headers },
      body,
    })
  return {
    ...client,
    ...{ clock, url, clients: clientOf(clientPort) },
    ...{
      wallet: app.wallet,
      post: postSession,
      nextAnswers: others.nextAnswers,
      posted: others.posted,
      callbacks: others.callbacks,
    },
    create: async (body, headers) => created(await postSession(body, headers), settings.profile.prefix),
    get: (path, headers) => client.call('GET', path, { headers: { host, ...headers } }),
    answer: ({ pointer }, options = {}) => app.answer(pointer, options),
    answerPointer: pointer => app.answer(pointer, {}),
    async close() {
      await closeServers()
      await close()
      await Promise.all([pool.close(), stamps.close(), app.wallet.close()])
    },
  }
}

async function listen(deps: ServerDeps, isApart: boolean) {
  const server = createSessionServer(deps, isApart ? 'requestors' : 'everybody')
  const { port } = await server.listen(0, '127.0.0.1')
  const clientServer = isApart ? createSessionServer(deps, 'clients') : null
  const client = await clientServer?.listen(0, '127.0.0.1')
  const closeServers = () => Promise.all([server.close(), clientServer?.close()])
  return { port, clientPort: client?.port ?? port, closeServers }
}

type WorkParts = Omit<EffectDeps & PostDeps, 'schemes' | 'revocation' | 'noteHashedValue'> & {
  readonly outgoing: Outgoing
}

async function startWork(parts: WorkParts) {
  const { clock } = parts
  const report = (_: string, error: unknown): void => console.log(error)
  const node = { store: createMemoryStore(), clock, bootId: 'boot', report }
  const revocation = await createRevocation({
    ...{ ...parts, store: node.store, schemes, report },
    listenTo: async function* () {},
    settings: new Map(AUTHORITY_OF.map(type => [parseCredentialTypeId(type), AUTHORITY])),
  })
  const effects = createEffects({ ...parts, revocation, schemes, noteHashedValue: () => {} })
  const sessions = createSessions({ ...node, effects })
  const deliveries = createDeliveries({ ...node, post: postCallback(parts), tell: () => {} })
  const close = () => Promise.all([sessions.close(), deliveries.close(), revocation.close()])
  return { sessions, revocation, close }
}

function created(answer: Answer, prefix: string): CreatedSession {
  const session = sessionIn(answer, prefix)
  const { sessionPtr } = Object(answer.json)
  return { ...session, pointer: JSON.stringify(sessionPtr), package: answer }
}

function recordingOthers(real: Outgoing, toStamps: (url: string) => string) {
  const nextAnswers: OutgoingAnswer[] = []
  const posted: Service['posted'] = []
  const callbacks: Service['callbacks'] = []
  const outgoing: Outgoing = {
    ...real,
    get: url => real.get(toStamps(url)),
    async post(url, message) {
      posted.push({ url, ...message })
      return nextAnswers.shift() ?? { status: 204, text: '' }
    },
    async notify(url, message) {
      callbacks.push({ url, ...message })
      return 204
    },
  }
  return { nextAnswers, posted, callbacks, outgoing }
}
