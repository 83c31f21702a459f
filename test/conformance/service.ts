/** A whole service for tests of the specification, row by row: the session server with real schemes, proofs and effects, a wallet that answers it over
 *  HTTP, a timestamp server, and a requestor that gives next sessions. Its clock does not advance by itself. @module */

import { randomBytes } from 'node:crypto'
import { integerOf } from '../../crypto/bytes.ts'
import { createTimestampServer } from '../../demo/timestamp-server.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import {
  createOutgoing,
  type Outgoing,
  type OutgoingAnswer,
  type OutgoingMessage,
} from '../../ports/outgoing.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import { createNode, type SessionNode } from '../../server/create-node.ts'
import { AUTHORITY } from '../actors/authority.ts'
import { sharedPool } from '../actors/shared-pool.ts'
import { type Answer, type Client, clientOf } from '../http/client.ts'
import { type SessionOfTest, sessionIn } from '../http/harness.ts'
import { FAILURES, type SettingsOfTest, settingsOfTest } from '../server/node-of-test.ts'
import { NOW_SEC, schemes } from '../wallet/support.ts'
import { createApp, type Played, type PlayOptions } from './app.ts'

export { NOW_SEC }

export type Service = Client & {
  readonly clock: SimulatedClock
  readonly url: string
  /** the listener for wallet apps: the same one, or a separate one */
  readonly clients: Client
  readonly wallet: Wallet
  /** POST /session */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  create(body: unknown, headers?: Readonly<Record<string, string>>): Promise<CreatedSession>
  /** the wallet answers a session, and the next ones of its chain */
  answer(session: CreatedSession, options?: PlayOptions): Promise<Played>
  /** @param pointer content of a QR code */
  answerPointer(pointer: string): Promise<Played>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** answers of requestors to posts for a next session, in order */
  readonly nextAnswers: OutgoingAnswer[]
  /** the posts to them */
  readonly posted: (OutgoingMessage & { readonly url: string })[]
  /** callbacks in order of arrival; each is accepted */
  readonly callbacks: (OutgoingMessage & { readonly url: string })[]
  close(): Promise<void>
}

export type CreatedSession = SessionOfTest & {
  /** content of a QR code */
  readonly pointer: string
  /** answer to POST /session */
  readonly package: Answer
}

/** revocable types of which it is the authority; it does not know the others */
const AUTHORITY_OF = ['svc-demo.fast.badge', 'svc-demo.gov.permit']
const TIMESTAMP_SERVER = 'http://127.0.0.1:8190/'
const TIMESTAMP_KEYS_EXPIRE_AT_SEC = 2_398_377_600

const random: Randomness = {
  token: () => randomBytes(10).toString('hex'),
  pairingCode: () => '0815',
  nonce: () => integerOf(randomBytes(16)),
  bytes: randomBytes,
}

/** @param isApart true: wallet apps have a separate listener */
export async function startService(options: SettingsOfTest = {}, isApart = false): Promise<Service> {
  const clock = createSimulatedClock(NOW_SEC * 1_000)
  const stamps = createTimestampServer({ clock, expiresAtSec: TIMESTAMP_KEYS_EXPIRE_AT_SEC })
  const stampsUrl = await stamps.listen(0, '127.0.0.1')
  const toStamps = (url: string): string => url.replace(TIMESTAMP_SERVER, stampsUrl)
  const others = recordingOthers(createOutgoing({ fetch, clock }), toStamps)
  const node = await nodeOf({ ...options, clientPort: isApart ? 1 : 0 }, clock, others.outgoing)
  const { settings } = node.deps
  const { port } = await node.server.listen(0, '127.0.0.1')
  const clientPort = (await node.clientServer?.listen(0, '127.0.0.1'))?.port ?? port
  const url = `http://127.0.0.1:${clientPort}${settings.apiPrefix}/`
  Object.assign(settings, { url }) // the port is known only after the start
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
    clock,
    url,
    clients: clientOf(clientPort),
    wallet: app.wallet,
    post: postSession,
    nextAnswers: others.nextAnswers,
    posted: others.posted,
    callbacks: others.callbacks,
    create: async (body, headers) => created(await postSession(body, headers), settings.profile.prefix),
    get: (path, headers) => client.call('GET', path, { headers: { host, ...headers } }),
    answer: ({ pointer }, options = {}) => app.answer(pointer, options),
    answerPointer: pointer => app.answer(pointer, {}),
    async close() {
      await node.close()
      await Promise.all([stamps.close(), app.wallet.close()])
    },
  }
}

function nodeOf(options: SettingsOfTest, clock: SimulatedClock, outgoing: Outgoing): Promise<SessionNode> {
  const revocation = new Map(AUTHORITY_OF.map(type => [parseCredentialTypeId(type), AUTHORITY]))
  const own = { url: 'http://127.0.0.1', store: 'memory', threads: 1, revocation }
  const settings = settingsOfTest({ ...own, ...options }, schemes)
  return createNode(settings, {
    clock,
    random,
    fetch,
    log: FAILURES,
    instead: { outgoing, pool: sharedPool() },
  })
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
      return { status: 204, retryAfter: null }
    },
  }
  return { nextAnswers, posted, callbacks, outgoing }
}
