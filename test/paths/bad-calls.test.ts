/** Every faulty call in every state of the session chart. The table gives the answer, which depends on whether the chart accepts the event of
 *  the right call. Only the changes in spec/decisions#d16 are allowed. @module */
import * as assert from 'uvu/assert'
import { check } from '../../actors/effects/check.ts'
import type { PerformEffect } from '../../actors/effects/effects.ts'
import { cancellable } from '../../actors/effects/outcomes.ts'
import type { Sessions } from '../../actors/sessions.ts'
import { verifyProofs } from '../../crypto/proof-list.ts'
import { timestampNonce } from '../../crypto/timestamp.ts'
import type { AnsweredEffect } from '../../machines/session.ts'
import { isTimer } from '../../machines/timers.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { ASKED, deferred, SIGNED } from '../actors/node.ts'
import type { Answer, Client } from '../http/client.ts'
import {
  AUTHENTICATED,
  appHeaders,
  disclosure,
  type MakeEffects,
  OF_SHOP,
  type ServerOfTest,
  sessionIn,
  withMethods,
  withServer,
} from '../http/harness.ts'
import { arithmetic } from '../sessions/submissions.ts'
import { suite } from '../suite.ts'
import { BODY_BYTES, badCall, type ExpectedAnswer, errorIn, FAULTS, type Fault, HOST } from './bad-calls.ts'
import { heldWork, newRun, playStep, type Run, SUBMITTED } from './play-path.ts'
import { type Kind, type PathState, sessionStates } from './session-paths.ts'
import { answerIn, columnOf } from './tables/endpoints.ts'

const BadCalls = suite('bad calls in every state of the session chart')
const RETENTION_MS = 300_000
const work = heldWork()

/** Submissions of paths are held back; all others are verified with real arithmetic. */
const effects: MakeEffects = parts => {
  const pool = {
    verify: async (list: Parameters<typeof verifyProofs>[1]) => verifyProofs(arithmetic, list),
    timestampNonce: async (stamped: Parameters<typeof timestampNonce>[0]) =>
      timestampNonce(stamped, arithmetic),
  }
  const real = cancellable(parts.settings, check({ ...parts, pool, isTrustedStamp: async () => false }))
  const unlessHeld =
    (name: AnsweredEffect, perform: PerformEffect): PerformEffect =>
    (row, signal) =>
      (row.claimedBody === SUBMITTED ? work.effects[name] : perform)(row, signal)
  return {
    check: unlessHeld('check', real),
    askNext: unlessHeld('askNext', async () => ASKED),
    sign: unlessHeld('sign', async () => SIGNED),
  }
}

let kind: Kind = { hasNextSession: false, issues: false }
let server: ServerOfTest
let isClosed: Promise<void>
const [isStarted, isOver] = [deferred(), deferred()]

BadCalls.before(() => {
  const wrapSessions = (sessions: Sessions) =>
    withMethods(work.watched(sessions), { open: session => sessions.open({ ...session, ...kind }) })
  const settings = { ...AUTHENTICATED, limits: { bodyBytes: BODY_BYTES } }
  isClosed = withServer({ effects, wrapSessions, settings }, started => {
    server = started
    isStarted.resolve()
    return isOver.promise
  })
  return isStarted.promise
})
BadCalls.after(() => {
  isOver.resolve()
  return isClosed
})

/** Every call carries the host of the sessions. */
const call: Client['call'] = (method, path, { headers, ...rest } = {}) =>
  server.call(method, path, { headers: { Host: HOST, ...headers }, ...rest })

/** Creates a session and moves it to a state. */
async function reach(state: PathState, { wrong }: Fault): Promise<Run> {
  kind = state.kind
  const body = { request: { ...disclosure(), host: HOST }, callbackUrl: 'http://shop.example/' }
  const session = sessionIn(await server.post(body, OF_SHOP))
  const run = newRun(server, session, work.of(session.clientToken), call)
  for (const step of state.steps)
    if (wrong.afterApp === 'old' && step.event.type === 'app.connected')
      await call('GET', session.app, { headers: appHeaders('2.4', '2.7') })
    else await playStep(run, step)
  run.pending?.answer.catch(() => {}) // fails when the server closes
  return run
}

/** All data that a call could change. */
async function stored({ session }: Run) {
  const row = await server.sessions.findByClientToken(session.clientToken)
  const [sessions, owed] = [
    await server.store.sessions.count(),
    (await server.store.deliveries.list()).length,
  ]
  return { row: structuredClone(row), sessions, owed }
}

async function send(run: Run, fault: Fault): Promise<Pick<Answer, 'status' | 'json' | 'text'>> {
  const { method, path, call: bad } = badCall(fault, run.session)
  if (!path.endsWith('statusevents')) return server.call(method, path, bad)
  const stream = await server.open(path, bad.headers)
  stream.leave()
  const isOpen = stream.head.headers['content-type'] === 'text/event-stream'
  return isOpen ? stream.head : server.call(method, path, bad)
}

/** A fault decides the answer if its check runs before the check of the status, or if the chart accepts the event of the right call. Otherwise the answer is that of the
 *  right call. */
function outcomeOf(
  { endpoint, event, allowed, forgotten }: Fault,
  { name, takes }: PathState,
): ExpectedAnswer {
  if (event === null) return name === 'forgotten' ? forgotten : allowed
  if (takes.has(event)) return allowed
  const [status, error = null] = answerIn(columnOf(name), endpoint).split(' ')
  return { status: Number(status), error, becomes: 'same' }
}

/** Asserts the changes of the row that spec/decisions#d16, #d23 and the specification prescribe for such a call. */
function assertMoved(
  before: SessionRow,
  after: SessionRow,
  { becomes, error, isClaimed }: ExpectedAnswer,
  answer: Answer,
): void {
  const fixed = ({
    id,
    requestorTokenHash,
    frontendTokenHash,
    sentToken,
    requestor,
    profile,
    ...row
  }: SessionRow) => [
    id,
    requestorTokenHash,
    frontendTokenHash,
    sentToken,
    requestor,
    profile,
    row.request,
    row.nonce,
    row.pairingCode,
    row.clientAuthorization,
    row.sentUpdates,
  ]
  assert.equal(fixed(after), fixed(before))
  assert.equal([after.status, after.claim, after.claimedBody, after.progress], [becomes, null, null, null])
  assert.is(after.version - before.version, isClaimed ? 2 : 1, 'commits')
  const stayMs = becomes === 'CONNECTED' ? server.settings.maxSessionLifetimeMs : RETENTION_MS
  assert.is(after.deadlineAt, server.clock.now() + stayMs)
  const result = after.result === null ? {} : JSON.parse(after.result.text)
  if (error !== null) assert.equal(result, { error: answer.json })
  else assert.is(result.proofStatus, Object(answer.json).proofStatus)
}

async function assertFault(run: Run, fault: Fault, outcome: ExpectedAnswer): Promise<void> {
  const before = await stored(run)
  const answer = await send(run, fault)
  assert.equal([answer.status, errorIn(answer)], [outcome.status, outcome.error], `${fault.title}: answer`)
  const after = await stored(run)
  if (outcome.becomes === 'same') return assert.equal(after, before, fault.title)
  assert.is(after.sessions, before.sessions, `${fault.title}: expected no other session`)
  const owed = before.owed + (outcome.becomes === 'CONNECTED' ? 0 : 1)
  const why = `${fault.title}: expected a callback only at the end of the session: ${owed} deliveries, got ${after.owed}`
  assert.is(after.owed, owed, why)
  if (before.row === null || after.row === null) throw new Error('expected a row before and after')
  assertMoved(before.row, after.row, outcome, answer as Answer)
}

const states = sessionStates()
/** States that need time to pass come first, so that no work is held while the clock moves. */
const needsTime = ({ steps }: PathState): boolean => steps.some(({ event }) => isTimer(event.type))
const inOrder = [...states.filter(needsTime), ...states.filter(state => !needsTime(state))]
const endpoints = [...new Set(FAULTS.map(({ endpoint }) => endpoint))]
const SUBMISSION = 'POST {app}/proofs'
const seen = new Set<string>()
/** The shortest way to each state, typed by hand from the specification (3) and the picture of a session in docs/architecture.md. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  'INITIALIZED none': [],
  'INITIALIZED pin': ['frontend.chose'],
  PAIRING: ['frontend.chose', 'app.connected'],
  'CONNECTED.awaiting': ['app.connected'],
  'CONNECTED.checking': ['app.connected', 'app.submitted'],
  'CONNECTED.askingNext': ['app.connected', 'app.submitted', 'server.checked'],
  'CONNECTED.signing': ['app.connected', 'app.submitted', 'server.checked'],
  DONE: ['app.connected', 'app.submitted', 'server.checked'],
  CANCELLED: ['app.failed'],
  TIMEOUT: ['time'],
  forgotten: ['app.failed', 'time'],
}

/** One unchanged session for each state, reused by later calls. */
const unchanged = new Map<PathState, Run>()

/** With pairing, an app without a protocol version for pairing cannot connect. */
function isOfState({ wrong: { afterApp } }: Fault, { steps }: PathState): boolean {
  const types = steps.map(({ event }) => event.type)
  if (afterApp === undefined) return true
  return types.includes('app.connected') && (afterApp === 'any' || !types.includes('frontend.chose'))
}

/** The endpoints that are called in a state. The first kind of session in a state gets every call. Later kinds differ only in submissions,
 *  and a wrong submission starts no further work. */
function endpointsIn({ name }: PathState): readonly string[] {
  if (!seen.has(name)) return seen.add(name) && endpoints
  return name === 'CONNECTED.awaiting' ? [SUBMISSION] : []
}

BadCalls('the table has every state of the specification, and of the work on a submission', () => {
  assert.equal([...seen].sort(), Object.keys(STATES).sort())
  for (const name of seen) {
    const steps = states.find(state => state.name === name)?.steps ?? []
    const types = steps.map(({ event }) => (isTimer(event.type) ? 'time' : event.type))
    assert.equal(types, STATES[name], name)
  }
  for (const { name, kind } of states)
    assert.ok(name !== 'CONNECTED.askingNext' || kind.hasNextSession, 'only chains ask for a next session')
  for (const { name, kind } of states)
    assert.ok(name !== 'CONNECTED.signing' || kind.issues, 'only issuers sign')
})

for (const state of inOrder)
  for (const endpoint of endpointsIn(state))
    BadCalls(`${endpoint} in ${state.title}`, async () => {
      for (const fault of FAULTS.filter(each => each.endpoint === endpoint && isOfState(each, state))) {
        const outcome = outcomeOf(fault, state)
        const isShared = outcome.becomes === 'same' && fault.wrong.afterApp !== 'old'
        const run = (isShared && unchanged.get(state)) || (await reach(state, fault))
        unchanged.delete(state)
        await assertFault(run, fault, outcome)
        if (isShared) unchanged.set(state, run)
      }
    })

BadCalls.run()
