/** One session of the cluster, played by a requestor, a frontend and a wallet app. Each call goes to a random node. @module */

import { parseSessionPackage } from '../../../cli/session/package.ts'
import { PROTOCOL_VERSION } from '../../../libraries/wallet/calls.ts'
import type { Candidate } from '../../../libraries/wallet/candidates.ts'
import {
  type DeliveredRequest,
  readConnection,
  readDelivered,
} from '../../../libraries/wallet/server-messages.ts'
import type { Wallet } from '../../../libraries/wallet/wallet.ts'
import type { Profile } from '../../../protocol/profiles.ts'
import { digestOf } from '../../history/answers.ts'
import type { RecordedRequest } from '../../history/lines.ts'
import { pause } from '../../patience.ts'
import { prepare } from '../kills/play.ts'
import type { About, Call, Field, Reply } from './field.ts'
import { follow } from './follow.ts'
import type { Receiver } from './receiver.ts'
import { type Extended, extendedRequest, nextOf, nextPlan, type Plan } from './requests.ts'

export type Stage = {
  readonly field: Field
  readonly wallet: Wallet
  readonly profile: Profile
  readonly receiver: Receiver
  /** False once the wallet has enough credentials: a wallet of thousands is slow. */
  readonly mayKeep: () => boolean
}

/** One session, with the addresses and tokens of its parties. */
type Session = {
  readonly name: string
  readonly plan: Plan
  readonly app: string
  /** the attributes that the previous session disclosed, which are disclosed again */
  readonly disclosed: readonly Candidate[]
  /** null if only the app knows the session, such as the next one of a chain */
  readonly others: {
    readonly requestor: string
    readonly frontend: string
    readonly authorization: string
  } | null
}

const LATE_MS = 1_500

/** Plays a session, and the next one of its chain. */
export async function playSession(stage: Stage, name: string, plan: Plan): Promise<void> {
  const extended = extendedRequest(name, plan, stage.profile, stage.receiver)
  const session = await create(stage, name, plan, extended)
  if (session === null) return
  await playWith(stage, session, extended)
}

async function playWith(stage: Stage, session: Session, { facts }: Extended): Promise<void> {
  const followers = followersOf(stage, session)
  const meanwhile = bystander(stage, session)
  const begunAt = Date.now()
  const next = await appOf(stage, session)
  await meanwhile
  if (session.plan.manner === 'goes away')
    await pause(Math.max(0, begunAt + facts.timeoutMs + facts.connectedTimeoutMs + LATE_MS - Date.now()))
  await readAll(stage, session)
  await Promise.all(followers.map(({ leave }) => leave()))
  if (next !== null) await playNext(stage, session, next)
}

/** @returns null if it is unknown whether a session was created */
async function create(
  { field }: Stage,
  name: string,
  plan: Plan,
  { request, facts }: Extended,
): Promise<Session | null> {
  const headers = { 'content-type': 'application/json' }
  const tried = await field.attempt({
    method: 'POST',
    path: '/session',
    headers,
    body: JSON.stringify(request),
  })
  if (!tried?.reply || tried.reply.status === 503) return null
  if (tried.reply.status !== 200)
    throw new Error(`${name}: POST /session: ${tried.reply.status} ${tried.reply.text}`)
  const { token, sessionPtr, frontendRequest } = parseSessionPackage(JSON.parse(tried.reply.text))
  const times = { begunAt: tried.begunAt, endedAt: Date.now() }
  field.record({ what: 'session', session: name, parent: null, facts, ...times })
  const app = new URL(sessionPtr.u).pathname
  const requestor = `/session/${token}`
  if (!frontendRequest) throw new Error(`${name}: expected a frontendRequest, got none`)
  const { authorization } = frontendRequest
  return { name, plan, app, disclosed: [], others: { requestor, frontend: `${app}/frontend`, authorization } }
}

function followersOf({ field }: Stage, { name: session, app, others }: Session) {
  const draw = field.random()
  const ofApp = { session, by: 'app', path: `${app}/statusevents` } as const
  if (others === null) return draw < 0.5 ? [follow(field, ofApp)] : []
  const { requestor, frontend, authorization } = others
  const headers = { Authorization: authorization }
  return [
    ...(draw < 0.3 ? [follow(field, ofApp)] : []),
    ...(draw < 0.6 ? [follow(field, { session, by: 'requestor', path: `${requestor}/statusevents` })] : []),
    ...(draw > 0.2
      ? [follow(field, { session, by: 'frontend', path: `${frontend}/statusevents`, headers })]
      : []),
  ]
}

/** Reads the session now and then, and deletes it if planned. */
async function bystander({ field }: Stage, session: Session): Promise<void> {
  const looks = Math.floor(field.random() * 4)
  for (let look = 0; look < looks; look++) {
    await pause(field.random() * 300)
    await field.ask(...readingOf(session, field.random()))
  }
  if (session.plan.isDeleted) await field.insist(...deletionOf(session, field.random()))
}

/** The caller, and the call. */
type Asking = readonly [About, Call]

function readingOf({ name: session, app, others }: Session, draw: number): Asking {
  const ofApp = { session, by: 'app', asked: { name: 'status' } } as const
  if (others === null || draw < 0.3) return [ofApp, { method: 'GET', path: `${app}/status` }]
  const { requestor, frontend, authorization: Authorization } = others
  if (draw < 0.6)
    return [
      { session, by: 'frontend', asked: { name: 'status' } },
      { method: 'GET', path: `${frontend}/status`, headers: { Authorization } },
    ]
  return [
    { session, by: 'requestor', asked: { name: 'result' } },
    { method: 'GET', path: `${requestor}/result` },
  ]
}

function deletionOf({ name: session, app, others }: Session, draw: number): Asking {
  const asked = { name: 'delete' } as const
  return others !== null && draw < 0.5
    ? [
        { session, by: 'requestor', asked },
        { method: 'DELETE', path: others.requestor },
      ]
    : [
        { session, by: 'app', asked },
        { method: 'DELETE', path: app },
      ]
}

/** At the end every party reads the session, each at a random node. */
async function readAll({ field }: Stage, session: Session): Promise<void> {
  for (const draw of [0, 0.5, 0.9]) await field.insist(...readingOf(session, draw))
}

/** The calls of the app, and of the frontend beside it.
 *  @returns the next session of the chain */
async function appOf(stage: Stage, session: Session): Promise<Next | null> {
  const { field, profile } = stage
  const { name, plan, app } = session
  const headers = {
    authorization: `app of ${name}`,
    [profile.minVersionHeader]: PROTOCOL_VERSION,
    [profile.maxVersionHeader]: PROTOCOL_VERSION,
  }
  const asApp = (
    asked: RecordedRequest,
    method: Call['method'],
    path: string,
    body?: string,
  ): Promise<Reply> =>
    field.insist(
      { session: name, by: 'app', asked },
      { method, path, headers, ...(body !== undefined && { body }) },
    )
  if (plan.isPairing) await frontendAsks(stage, session, 'options')
  if (plan.manner === 'goes away' && field.random() < 0.5) return null
  const connected = await asApp({ name: 'connect' }, 'GET', app)
  if (connected.status !== 200) return null
  const connection = readConnection(connected.text, profile)
  if (plan.manner === 'goes away') return null
  let { request } = connection
  if (request === null) {
    await frontendAsks(stage, session, 'pairingcompleted')
    const fetched = await asApp({ name: 'request' }, 'GET', `${app}/request`)
    if (fetched.status !== 200) return null
    request = readDelivered(fetched.text, connection.profile)
  }
  if (plan.manner === 'deletes') {
    await asApp({ name: 'delete' }, 'DELETE', app)
    return null
  }
  return submits(stage, session, request, asApp)
}

async function frontendAsks(
  { field, profile }: Stage,
  { name: session, others }: Session,
  what: 'options' | 'pairingcompleted',
): Promise<void> {
  if (others === null) return
  const asked: RecordedRequest = what === 'options' ? { name: what, method: 'pin' } : { name: what }
  const body = { '@context': `${profile.contextBase}/ld/request/frontendoptions/v1`, pairingMethod: 'pin' }
  const headers = { Authorization: others.authorization, 'content-type': 'application/json' }
  await field.insist(
    { session, by: 'frontend', asked },
    {
      method: 'POST',
      path: `${others.frontend}/${what}`,
      headers,
      ...(what === 'options' && { body: JSON.stringify(body) }),
    },
  )
}

/** The pointer to the next session of a chain, and the times between which that session was created. */
type Next = {
  readonly pointer: string
  readonly disclosed: readonly Candidate[]
  readonly begunAt: number
  readonly endedAt: number
}

type AsApp = (asked: RecordedRequest, method: Call['method'], path: string, body?: string) => Promise<Reply>

async function submits(
  stage: Stage,
  { plan, app, others, disclosed }: Session,
  request: DeliveredRequest,
  asApp: AsApp,
): Promise<Next | null> {
  const { manner } = plan
  const begunAt = Date.now()
  const asked = manner === 'wrong' ? { ...request, nonce: request.nonce + 1n } : request
  const prepared = await prepare(stage, asked, disclosed)
  const send = ({ path, body }: { path: string; body: string }): Promise<Reply> => {
    const proofs = manner === 'wrong' ? 'wrong' : manner === 'malformed' ? 'malformed' : 'VALID'
    const bytes = manner === 'malformed' ? 'no answer' : body
    return asApp({ name: 'submit', body: digestOf(bytes), proofs }, 'POST', `${app}${path}`, bytes)
  }
  const other = manner === 'submits two' ? send(await prepare(stage, request, disclosed)) : null
  const again = manner === 'submits twice' ? send(prepared) : null
  const reply = await send(prepared)
  await Promise.all([other, again])
  if (others !== null && stage.field.random() < 0.3) await send(prepared) // the app has the answer, and repeats the call
  if (reply.status !== 200 || manner === 'wrong') return null
  const { nextSession } = JSON.parse(reply.text)
  if (nextSession) return { pointer: nextSession.u, disclosed: prepared.chosen, begunAt, endedAt: Date.now() }
  if (stage.mayKeep()) await prepared.receive(reply.text)
  return null
}

/** The app continues with the next session of a chain. No other party knows that session. */
async function playNext(stage: Stage, before: Session, next: Next): Promise<void> {
  const name = nextOf(before.name)
  const plan = nextPlan(before.plan)
  const extended = extendedRequest(name, plan, stage.profile, stage.receiver)
  stage.field.record({
    what: 'session',
    session: name,
    parent: before.name,
    facts: extended.facts,
    begunAt: next.begunAt,
    endedAt: next.endedAt,
  })
  await playWith(
    stage,
    { name, plan, app: new URL(next.pointer).pathname, disclosed: next.disclosed, others: null },
    extended,
  )
}
