/** Plays the steps of a path of the session chart at a server over real HTTP. Each event is the call that causes it, and each deadline moves the clock.
 *  The work on a claim is held until the step that ends it. An event that no call causes is sent through the gate. @module */

import * as assert from 'uvu/assert'
import type { EffectOutcome, Effects, PerformEffect } from '../../actors/effects/effects.ts'
import type { Sessions } from '../../actors/sessions.ts'
import { ANSWERED_EFFECTS, type AnsweredEffect } from '../../machines/session.ts'
import type { StampedEvent } from '../../machines/session-events.ts'
import { isTimer } from '../../machines/timers.ts'
import { MalformedInputError } from '../../protocol/errors.ts'
import { restoreOutcome } from '../../sessions/result.ts'
import { cancelledBy } from '../../sessions/stored-answer.ts'
import type { SessionId } from '../../stores/session-store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { answerOf, type FinalOutcome, VALID } from '../actors/node.ts'
import type { Answer, Client } from '../http/client.ts'
import { APP, appHeaders, type ServerOfTest, type SessionOfTest, withMethods } from '../http/harness.ts'
import { inTime } from '../patience.ts'
import { type AppOfPath, type SessionEdge, statusIn } from './session-paths.ts'
import { passTo, until } from './until.ts'

/** The work on a submission, which ends when the path reaches its outcome. */
type Work = {
  readonly effect: AnsweredEffect
  readonly done: (outcome: EffectOutcome) => void
  readonly died: (error: Error) => void
}

/** The work and the calls of a session behind the endpoints. */
export type Held = {
  readonly works: Work[]
  /** the number of calls of the app that have entered the queue of the session */
  entered: number
}

export type Run = {
  readonly server: ServerOfTest
  readonly call: Client['call']
  readonly session: SessionOfTest
  readonly held: Held
  readonly app: AppOfPath
  /** the call of the submission, which waits for its outcome */
  pending: Pending | null
  /** the time at which the work on a claim began, or its lease was last renewed */
  workedAt: number
  /** counts calls of the app, so that each one differs and none counts as a repetition */
  calls: number
}

type Pending = { readonly since: number; readonly answer: Promise<Answer>; again(): Promise<Answer> }

/** The body of the submissions of paths. */
export const SUBMITTED = '{}'

const ANSWER = 'the answer to the waiting submission'

/** The error of a worker that a step ends. */
export const DEATH = 'the worker died'

/** The time between renewals of the lease of a claim. */
const RENEWAL_MS = 10_000
/** The longest wait of a call for the outcome of its submission; wallet apps give up at 20 s. */
const WAIT_MS = 15_000

/** The answer to each event over HTTP, if the chart accepts it and if it refuses. */
const EXPECTED: Readonly<Record<string, readonly [accepted: string, refused: string]>> = {
  'frontend.chose': ['200', '403 UNEXPECTED_REQUEST'],
  'frontend.paired': ['204', '403 UNEXPECTED_REQUEST'],
  'app.connected': ['200', '400 SESSION_UNKNOWN'],
  'app.fetched': ['200', '400 SESSION_UNKNOWN'],
  'app.fetchedOnce': ['200', '400 SESSION_UNKNOWN'],
  'app.failed': ['400', '400 SESSION_UNKNOWN'],
  'app.submitted': ['200', '400 SESSION_UNKNOWN'],
  cancelled: ['200', '200'],
}

/** The status of the answer to a submission, by the event that ends its claim. */
const ENDED: Readonly<Record<string, number>> = {
  'server.checked': 200,
  'server.askedNext': 200,
  'server.signed': 200,
  'server.failed': 400,
  'claim.voided': 503,
}

const CANCELLING = cancelledBy(new MalformedInputError('x'), false)
const INVALID: Omit<FinalOutcome, 'event'> = {
  columns: { result: restoreOutcome('{"proofStatus":"INVALID"}') },
  answer: answerOf('{"proofStatus":"INVALID"}'),
}

/** Work of the runs of a server, held until a step ends it. `watched` counts the calls of the app. */
export function heldWork() {
  const heldOf = new Map<string, Held>()
  const ofSession = (id: SessionId): Held => {
    const held = heldOf.get(id) ?? { works: [], entered: 0 }
    heldOf.set(id, held)
    return held
  }
  const perform =
    (effect: AnsweredEffect): PerformEffect =>
    ({ id }) =>
      new Promise<EffectOutcome>((done, died) => ofSession(id).works.push({ effect, done, died }))
  const [check, askNext, sign] = ANSWERED_EFFECTS
  const effects: Effects = { check: perform(check), askNext: perform(askNext), sign: perform(sign) }
  const watched = (sessions: Sessions): Sessions =>
    withMethods(sessions, {
      call(id, ...rest) {
        const answer = sessions.call(id, ...rest)
        ofSession(id).entered += 1
        return answer
      },
    })
  return { of: (clientToken: string) => ofSession(hashOfToken(clientToken)), effects, watched }
}

export function newRun(
  server: ServerOfTest,
  session: SessionOfTest,
  held: Held = { works: [], entered: 0 },
  call = server.call,
  app: AppOfPath = 'bound',
): Run {
  return { server, session, held, call, app, pending: null, workedAt: 0, calls: 0 }
}

/** True if no call causes that event in that state: the outcome of an inactive claim, or a fetch by the other kind of app. */
export function isByGate({ app }: Run, { event, isAccepted }: SessionEdge): boolean {
  if (event.type === 'app.fetchedOnce') return app !== 'unbound'
  return !isAccepted && 'claim' in event && event.type !== 'app.submitted'
}

function headersOf({ app, calls }: Run): Record<string, string> {
  return appHeaders('2.4', `2.${8 + calls}`, app === 'unbound' ? null : APP)
}

function callOf(run: Run, { event, from }: SessionEdge): Promise<Answer> {
  const { call, session } = run
  const { app, frontend, requestor, authorization: headers } = session
  const asApp = headersOf(run)
  switch (event.type) {
    case 'frontend.chose': {
      const context = 'https://svc.example/ld/request/frontendoptions/v1'
      const body = { '@context': context, pairingMethod: event.method }
      return call('POST', `${frontend}/options`, { headers, body })
    }
    case 'frontend.paired':
      return call('POST', `${frontend}/pairingcompleted`, { headers })
    case 'app.connected':
      return call('GET', app, { headers: asApp })
    case 'app.fetched':
    case 'app.fetchedOnce':
      return call('GET', `${app}/request`, { headers: asApp })
    case 'app.submitted':
      return call('POST', `${app}/proofs`, { headers: asApp, body: SUBMITTED })
    case 'app.failed':
      return from.startsWith('INITIALIZED')
        ? call('GET', app, { headers: { ...asApp, ...appHeaders(`x${run.calls}`) } })
        : call('POST', `${app}/commitments`, { headers: asApp, body: SUBMITTED })
    default:
      return call('DELETE', run.calls % 2 === 0 ? app : requestor)
  }
}

/** Plays one step, and asserts its answer.
 *  @param stamped the event for the gate, if no call causes it */
export async function playStep(
  run: Run,
  edge: SessionEdge,
  stamped: StampedEvent = edge.event,
): Promise<void> {
  const { event, isAccepted } = edge
  run.calls += 1
  if (isByGate(run, edge)) return enterGate(run, edge, stamped)
  if (isTimer(event.type))
    return statusIn(edge.from) === 'CONNECTED' && run.pending ? passLease(run) : passDeadline(run)
  if (event.type === 'app.submitted' && isAccepted) return submit(run, edge)
  if (event.type === 'claim.renewed') return renew(run, run.workedAt + RENEWAL_MS)
  if ('claim' in event && event.type !== 'app.submitted') return endWork(run, edge)
  const { status, json } = await inTime(callOf(run, edge), `an answer to ${edge.trigger}`)
  const [accepted, refused] = EXPECTED[event.type] ?? ['', '']
  const expected = isAccepted ? accepted : edge.from === 'forgotten' ? '400 SESSION_UNKNOWN' : refused
  const answered = isAccepted ? String(status) : [status, Object(json).error].join(' ').trim()
  assert.is(answered, expected, `${edge.trigger} in ${edge.from}`)
  if (event.type === 'cancelled' && isAccepted) await assertPending(run, 400)
}

async function enterGate({ server, session }: Run, { from, isAccepted }: SessionEdge, event: StampedEvent) {
  if (event.type !== 'app.fetchedOnce' && !('claim' in event))
    throw new Error(`expected an event for the gate, got ${event.type}`)
  const outcome = await server.sessions.turn(hashOfToken(session.clientToken), () => ({ event }))
  const refused = from === 'forgotten' ? 'unknown' : statusIn(from)
  assert.equal('refused' in outcome ? outcome.refused : 'taken', isAccepted ? 'taken' : refused)
}

/** Asserts that nothing happens before the deadline. */
async function passDeadline({ server, session }: Run): Promise<void> {
  const { store, clock } = server
  const load = () => store.sessions.load(hashOfToken(session.clientToken))
  const before = await load()
  const deadlineAt = before?.deadlineAt ?? clock.now()
  await passTo(clock, deadlineAt - 1, store)
  assert.equal((await load())?.version, before?.version, 'before the deadline')
  await passTo(clock, deadlineAt, store)
  await until(async () => (await load())?.version !== before?.version)
}

/** Removes the work, so that nothing renews its lease, and waits until the lease has elapsed. */
async function passLease(run: Run): Promise<void> {
  const { store, clock } = run.server
  const load = () => store.sessions.load(hashOfToken(run.session.clientToken))
  const before = await load()
  run.held.works.pop()
  await passTo(clock, before?.claim?.leaseUntil ?? clock.now(), store)
  await until(async () => (await load())?.version !== before?.version)
  await assertPending(run, 503)
}

/** Starts the call that submits. It waits for its outcome while later steps are played. */
async function submit(run: Run, edge: SessionEdge): Promise<void> {
  const headers = headersOf(run)
  const again = () => run.call('POST', `${run.session.app}/proofs`, { headers, body: SUBMITTED })
  run.pending = { since: run.server.clock.now(), answer: callOf(run, edge), again }
  await assertWork(run, edge)
}

/** Asserts that the requested work has begun, and no other work. */
async function assertWork(run: Run, { effects, trigger, from }: SessionEdge): Promise<void> {
  const { held, server } = run
  const { works } = held
  run.workedAt = server.clock.now()
  await until(() => works.length > 0)
  assert.equal(
    works.map(({ effect }) => effect),
    effects,
    `work after ${trigger} in ${from}`,
  )
}

/** Waits for the next renewal. A call that has waited for 15 s by then gets 503, and is repeated. The step ends when the repeated call has arrived: after a later step
 *  it would claim the session again. */
async function renew(run: Run, at: number): Promise<void> {
  const { server, pending, held } = run
  await passTo(server.clock, at, server.store)
  run.workedAt = at
  if (pending === null || at - pending.since < WAIT_MS) return
  assert.is((await inTime(pending.answer, ANSWER)).status, 503, 'a submission that waited for 15 s')
  const before = held.entered
  run.pending = { ...pending, since: at, answer: pending.again() }
  await until(() => held.entered > before)
}

async function endWork(run: Run, edge: SessionEdge): Promise<void> {
  const { event, from, to } = edge
  const work = run.held.works.pop()
  if (event.type === 'server.checked' || event.type === 'server.askedNext' || event.type === 'server.signed')
    work?.done({
      ...('isValid' in event && !event.isValid ? INVALID : VALID),
      event,
      progress: 'the work so far',
    })
  else if (event.type === 'server.failed') work?.done({ ...CANCELLING, event })
  else work?.died(new Error(DEATH))
  if (statusIn(from) !== statusIn(to) || event.type === 'claim.voided')
    await assertPending(run, ENDED[event.type] ?? 0)
  else await assertWork(run, edge)
}

async function assertPending(run: Run, status: number): Promise<void> {
  if (run.pending)
    assert.is((await inTime(run.pending.answer, ANSWER)).status, status, 'the waiting submission')
  run.pending = null
}
