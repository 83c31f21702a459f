/** The paths of the session chart over real HTTP: each event is the call that causes it, each deadline a move of the clock. After every step the
 *  status that readers see is the chart's, a refused event has changed nothing, and the event stream told exactly the changes. @module */
import * as assert from 'uvu/assert'
import type { EffectOutcome } from '../../actors/effects/effects.ts'
import type { Sessions } from '../../actors/sessions.ts'
import { isTimer } from '../../machines/session-snapshot.ts'
import { MalformedInput } from '../../protocol/errors.ts'
import { cancelledBy } from '../../sessions/stored-answer.ts'
import { elapse, settle, VALID } from '../actors/node.ts'
import type { Answer } from '../http/client.ts'
import {
  appHeaders,
  type ServerOfTest,
  type SessionOfTest,
  withMethods,
  withServer,
} from '../http/harness.ts'
import { suite } from '../suite.ts'
import { CLAIM, type Edge, type SessionPath, sessionPaths } from './session-paths.ts'

const Paths = suite('paths of the session chart over HTTP')

/** The work on a submission, which ends when the path says so. */
type Work = { readonly done: (outcome: EffectOutcome) => void; readonly died: (error: Error) => void }

type Run = {
  readonly server: ServerOfTest
  readonly session: SessionOfTest
  readonly works: Work[]
  /** the submission that waits for its outcome */
  pending: Promise<Answer> | null
  /** makes each call of the app another one, so that none is a repetition */
  calls: number
}

/** The lease of a claim is renewed so often by whoever works on it. */
const RENEWAL_MS = 10_000

/** What each event is over HTTP: status of the answer when the chart takes it, and when it refuses. */
const EXPECTED: Readonly<Record<string, readonly [accepted: number, refused: number]>> = {
  'frontend.chose': [200, 403],
  'frontend.paired': [204, 403],
  'app.connected': [200, 400],
  'app.fetched': [200, 400],
  'app.failed': [400, 400],
  'app.submitted': [200, 400],
  cancelled: [200, 200],
}

/** What a submission is answered whose claim ends so. */
const OUTCOMES: Readonly<Record<string, number>> = {
  'server.checked': 200,
  'server.askedNext': 200,
  'server.signed': 200,
  'server.failed': 400,
  'claim.voided': 503,
}

const CANCELLING = cancelledBy(new MalformedInput('x'), false)

/** An outcome that no claim waits for cannot come over HTTP. The app of these paths says who it is; one that does not: http/unbound-app.test.ts. */
function isReachable({ event, isAccepted }: Edge): boolean {
  if (event.type === 'app.fetchedOnce') return false
  return isAccepted || !('claim' in event) || event.type === 'app.submitted'
}

function call({ server, session, ...run }: Run, { event, fromState }: Edge): Promise<Answer> {
  const { app, frontend, authorization: headers } = session
  const asApp = appHeaders('2.4', `2.${8 + run.calls}`)
  switch (event.type) {
    case 'frontend.chose': {
      const context = 'https://svc.example/ld/request/frontendoptions/v1'
      const body = { '@context': context, pairingMethod: event.method }
      return server.call('POST', `${frontend}/options`, { headers, body })
    }
    case 'frontend.paired':
      return server.call('POST', `${frontend}/pairingcompleted`, { headers })
    case 'app.connected':
      return server.call('GET', app, { headers: asApp })
    case 'app.fetched':
      return server.call('GET', `${app}/request`, { headers: asApp })
    case 'app.submitted':
      return server.call('POST', `${app}/proofs`, { headers: asApp, body: {} })
    case 'app.failed':
      return fromState.startsWith('INITIALIZED')
        ? server.call('GET', app, { headers: appHeaders(`x${run.calls}`) })
        : server.call('POST', `${app}/commitments`, { headers: asApp, body: {} })
    default:
      return server.call('DELETE', app)
  }
}

async function replayStep(run: Run, edge: Edge): Promise<void> {
  const { event, isAccepted } = edge
  run.calls += 1
  if (isTimer(event.type)) {
    const { deadlineAt } = await run.server.rowOf(run.session)
    return elapse(run.server.clock, deadlineAt - run.server.clock.now())
  }
  if (event.type === 'app.submitted' && isAccepted) {
    run.pending = call(run, edge)
    while (run.works.length === 0) await settle()
    return
  }
  if (event.type === 'claim.renewed') return elapse(run.server.clock, RENEWAL_MS)
  if ('claim' in event && event.type !== 'app.submitted') return endWork(run, edge)
  const answer = await call(run, edge)
  const [accepted, refused] = EXPECTED[event.type] ?? [0, 0]
  const expected = isAccepted ? accepted : edge.from === 'forgotten' ? 400 : refused
  assert.is(answer.status, expected, `${event.type} in ${edge.fromState}`)
  if (event.type === 'cancelled') await assertPending(run, 400)
}

async function endWork(run: Run, { event, from, to }: Edge): Promise<void> {
  const work = run.works.pop()
  const isOver = from !== to || event.type === 'claim.voided'
  if (event.type === 'server.checked' || event.type === 'server.askedNext' || event.type === 'server.signed')
    work?.done(isOver ? { ...VALID, event } : { event, progress: 'the work so far' })
  else if (event.type === 'server.failed') work?.done({ ...CANCELLING, event })
  else work?.died(new Error('the worker died'))
  if (isOver) return assertPending(run, OUTCOMES[event.type] ?? 0)
  while (run.works.length === 0) await settle() // the next step of the work has begun
}

async function assertPending(run: Run, status: number): Promise<void> {
  if (run.pending) assert.is((await run.pending).status, status, 'the submission that waited')
  run.pending = null
}

async function assertStatus({ server, session }: Run, { to, toState }: Edge): Promise<void> {
  const { text, status } = await server.call('GET', `${session.requestor}/status`)
  if (to === 'forgotten') assert.is(status, 400, toState)
  else assert.is(text, `"${to}"`, toState)
}

/** The changes of status of a path, as a stream tells them. */
function changesOf({ steps }: SessionPath): string[] {
  const changes = steps.filter(({ from, to }) => from !== to && to !== 'forgotten').map(({ to }) => to)
  return ['event: open', ...changes.map(status => `data: "${status}"`)]
}

async function replay(path: SessionPath): Promise<void> {
  const works: Work[] = []
  const perform = () => new Promise<EffectOutcome>((done, died) => works.push({ done, died }))
  const effects = { check: perform, askNext: perform, sign: perform }
  const wrapSessions = (sessions: Sessions) =>
    withMethods(sessions, { open: session => sessions.open({ ...session, ...path.kind }) })
  await withServer({ effects, wrapSessions }, async server => {
    const session = await server.create()
    const stream = await server.open(`${session.requestor}/statusevents`)
    const run: Run = { server, session, works, pending: null, calls: 0 }
    for (const edge of path.steps) {
      await replayStep(run, edge)
      await assertStatus(run, edge)
    }
    for (const frame of changesOf(path)) assert.is(await stream.next(), frame)
    stream.leave()
    run.pending?.catch(() => {})
  })
}

for (const which of ['accepted', 'refused'] as const)
  for (const path of sessionPaths(which))
    if (path.steps.every(isReachable)) Paths(path.title, () => replay(path))

Paths('outcomes of the standing claim are among the paths', () => {
  const events = sessionPaths('accepted').flatMap(({ steps }) => steps.map(({ event }) => event))
  for (const type of Object.keys(OUTCOMES))
    assert.ok(events.some(event => event.type === type && 'claim' in event && event.claim === CLAIM))
})

Paths.run()
