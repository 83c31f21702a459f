/** One session of a simulation, and the next one of its chain: the acts of its requestor, wallet app and frontend. @module */
import { digestOf, saidBy } from '../history/answers.ts'
import type { RecordedRequest } from '../history/lines.ts'
import { appHeaders, type SessionOfTest, sessionIn } from '../http/harness.ts'
import { Clients, FINAL, type Ground, type Heard } from './clients.ts'
import { RETENTION_MS, STAY_MS, submissionOf } from './cluster-node.ts'
import type { Request } from './exchange.ts'
import type { Habit, Journey } from './plan.ts'
import { Random } from './random.ts'
import { creationOf } from './requests.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const OPTIONS = 'https://svc.example/ld/request/frontendoptions/v1'
/** The time that a frontend and a requestor wait for the end of a session before they read it. */
const WHOLE_MS = 2 * STAY_MS

/** A session and its parties. */
type Parts = {
  readonly journey: Journey
  readonly clients: Clients
  readonly paths: SessionOfTest
}

/** @param noted called with the requestor token when a session becomes known */
export async function travel(
  ground: Ground,
  seed: number,
  journey: Journey,
  noted: (name: string, paths: SessionOfTest) => void,
): Promise<void> {
  const { name } = journey
  await ground.schedule.pause(journey.atMs)
  const clients = new Clients(ground, name, new Random(seed, name))
  const paths = await created(journey, clients)
  if (paths === null) return
  noted(name, paths)
  await whole({ journey, clients, paths })
}

/** If the creation gets no answer, no client knows the session: it ends by its deadline. */
async function created(journey: Journey, clients: Clients): Promise<SessionOfTest | null> {
  const { schedule, write } = clients.ground
  const { name: session } = journey
  const request: Request = {
    method: 'POST',
    path: '/session',
    headers: JSON_TYPE,
    body: JSON.stringify(creationOf(journey)),
  }
  for (let tries = 0; tries < 20; tries++) {
    const begunAt = schedule.now
    const heard = await clients.anywhere(request)
    if (heard?.status === 200) {
      const { timeoutSec } = journey
      const stayMs = timeoutSec === null ? STAY_MS : timeoutSec * 1_000
      const facts = {
        timeoutMs: stayMs,
        connectedTimeoutMs: stayMs,
        retentionMs: RETENTION_MS,
        hasCallback: journey.hasCallback,
        hasNextSession: journey.isFollowed,
        issues: journey.type === 'issuance',
      }
      write({ what: 'session', session, parent: null, facts, begunAt, endedAt: schedule.now })
      return sessionIn({ ...heard, headers: {}, lines: [], bytes: new Uint8Array() })
    }
    await clients.pause(500)
  }
  return null
}

/** Every party acts until the session has ended, and then it is read once more. */
async function whole(parts: Parts): Promise<void> {
  const { journey, clients } = parts
  const habits = new Map(journey.habits.map(({ does, afterMs }) => [does, afterMs]))
  const others = journey.habits.map(habit => besides(parts, habit))
  const hasEnded = endOf(parts)
  await Promise.race([Promise.all([frontend(parts, habits), app(parts, habits)]), hasEnded])
  await hasEnded
  await clients.pause(600)
  clients.end()
  await Promise.all(others)
}

async function besides(parts: Parts, { does, afterMs }: Habit): Promise<void> {
  const { clients, paths } = parts
  const { requestor, app, frontend, authorization } = paths
  switch (does) {
    case 'the requestor follows':
      return clients.follow('requestor', `${requestor}/statusevents`)
    case 'the app follows':
      return clients.follow('app', `${app}/statusevents`)
    case 'the frontend follows':
      return clients.follow('frontend', `${frontend}/statusevents`, authorization)
    case 'the requestor cancels':
    case 'the app cancels': {
      await clients.pause(afterMs)
      const [by, path] =
        does === 'the app cancels' ? (['app', app] as const) : (['requestor', requestor] as const)
      await clients.insist(by, { name: 'delete' }, { method: 'DELETE', path })
      return
    }
    case 'the requestor polls':
      for (let pauseMs = 500; !clients.isOver; pauseMs *= 1.4) {
        await clients.pause(pauseMs)
        await clients.call('requestor', { name: 'status' }, { method: 'GET', path: `${requestor}/status` })
      }
  }
}

/** The requestor reads the result until there is one. For the next session of a chain, only the app knows a token. */
async function endOf({ journey, clients, paths }: Parts): Promise<void> {
  const { schedule } = clients.ground
  const untilAt = schedule.now + WHOLE_MS
  for (let pauseMs = 2_000; schedule.now < untilAt; pauseMs *= 1.3) {
    await clients.pause(pauseMs)
    const heard = await (journey.name.endsWith('+')
      ? clients.call('app', { name: 'status' }, { method: 'GET', path: `${paths.app}/status` })
      : clients.call('requestor', { name: 'result' }, { method: 'GET', path: `${paths.requestor}/result` }))
    if (heard === null) continue
    const { status = '' } = saidBy(heard.json)
    if (heard.status === 400 || FINAL.includes(status)) return
  }
}

type Habits = ReadonlyMap<Habit['does'], number>

/** Pairing is turned on before the QR code is shown, and completed after the user has typed the code. */
async function frontend({ journey, clients, paths }: Parts, habits: Habits): Promise<void> {
  if (!journey.hasPairing) return
  const { frontend, authorization: headers } = paths
  const body = JSON.stringify({ '@context': OPTIONS, pairingMethod: 'pin' })
  const options: Request = { method: 'POST', path: `${frontend}/options`, headers, body }
  const asked: RecordedRequest = { name: 'options', method: 'pin' }
  await clients.insist('frontend', asked, options)
  if (habits.has('the frontend never completes pairing')) return
  const isPairing = await until(clients, async () => {
    const request: Request = { method: 'GET', path: `${frontend}/status`, headers }
    const heard = await clients.call('frontend', { name: 'status' }, request)
    const { status } = Object(heard?.json)
    return heard?.status === 200 && status !== 'INITIALIZED' ? status : null
  })
  if (isPairing !== 'PAIRING') return
  const completed: Request = { method: 'POST', path: `${frontend}/pairingcompleted`, headers }
  await clients.insist('frontend', { name: 'pairingcompleted' }, completed)
}

/** Repeats `find` until it returns a value. */
async function until<Found>(clients: Clients, find: () => Promise<Found | null>): Promise<Found | null> {
  for (let pauseMs = 600; !clients.isOver; pauseMs *= 1.4) {
    const found = await find()
    if (found !== null) return found
    await clients.pause(pauseMs)
  }
  return null
}

async function app(parts: Parts, habits: Habits): Promise<void> {
  const { journey, clients, paths } = parts
  if (habits.has('the app never comes')) return
  await clients.pause(journey.hasPairing ? 1_000 : 300)
  const connect = (): Promise<Heard | null> =>
    clients.insist('app', { name: 'connect' }, { method: 'GET', path: paths.app, headers: appHeaders() })
  const [heard] = await Promise.all([connect(), habits.has('the app connects twice at once') && connect()])
  if (heard?.status !== 200) return
  if (Object(heard.json).protocolVersion !== undefined && !(await fetched(parts))) return
  await clients.pause(500)
  if (habits.has('the app leaves before it submits')) return
  await submit(parts, habits)
}

/** With pairing the app requests the session request until it gets it. */
async function fetched({ clients, paths }: Parts): Promise<boolean> {
  const isConnected = await until(clients, async () => {
    const request: Request = { method: 'GET', path: `${paths.app}/status` }
    const heard = await clients.call('app', { name: 'status' }, request)
    return heard?.status === 200 && heard.json !== 'PAIRING' ? heard.json === 'CONNECTED' : null
  })
  if (!isConnected) return false
  const request: Request = { method: 'GET', path: `${paths.app}/request`, headers: appHeaders() }
  const heard = await clients.insist('app', { name: 'request' }, request)
  return heard?.status === 200
}

async function submit(parts: Parts, habits: Habits): Promise<void> {
  const { journey, clients, paths } = parts
  const begunAt = clients.ground.schedule.now
  const submitted = (number: number): Promise<Heard | null> => {
    const body = submissionOf(journey.proofs, number)
    const path = `${paths.app}/${journey.type === 'issuance' ? 'commitments' : 'proofs'}`
    const asked: RecordedRequest = { name: 'submit', body: digestOf(body), proofs: journey.proofs }
    return clients.insist('app', asked, { method: 'POST', path, headers: appHeaders(), body })
  }
  const [heard] = await Promise.all([
    submitted(1),
    habits.has('the app submits twice at once') && submitted(1),
    habits.has('the app submits something else at once') && submitted(2),
  ])
  if (habits.has('the app submits again after its answer')) {
    await clients.pause(300)
    await submitted(1)
  }
  const pointer: unknown = Object(heard?.json).nextSession?.u
  if (typeof pointer === 'string') await followed(parts, pointer, begunAt)
}

/** The app continues with the session that the answer points to. */
async function followed({ journey, clients, paths }: Parts, pointer: string, begunAt: number): Promise<void> {
  const { ground, random } = clients
  const { schedule, write } = ground
  const session = `${journey.name}+`
  const facts = {
    timeoutMs: STAY_MS,
    connectedTimeoutMs: STAY_MS,
    retentionMs: RETENTION_MS,
    hasCallback: false,
    hasNextSession: false,
    issues: false,
  }
  write({ what: 'session', session, parent: journey.name, facts, begunAt, endedAt: schedule.now })
  const clientToken = pointer.slice(pointer.lastIndexOf('/') + 1)
  const next: Journey = {
    ...journey,
    name: session,
    type: 'disclosure',
    isFollowed: false,
    hasPairing: false,
    timeoutSec: null,
  }
  const app = `/svc/session/${clientToken}`
  await whole({
    journey: { ...next, habits: next.habits.filter(({ does }) => / app (?:follows|submits)/.test(does)) },
    clients: new Clients(ground, session, random),
    paths: { ...paths, app, clientToken },
  })
}
