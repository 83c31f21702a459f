/** Plays steps of a path of the session chart at a server over real HTTP: each event is the call that causes it, each deadline a move of the clock, and
 *  each outcome of a claim the end of work that is held until its step comes. @module */
import * as assert from 'uvu/assert'
import type { EffectOutcome, PerformEffect } from '../../actors/effects/effects.ts'
import { isTimer } from '../../machines/session-snapshot.ts'
import { MalformedInput } from '../../protocol/errors.ts'
import { cancelledBy } from '../../sessions/stored-answer.ts'
import { elapse, settle, VALID } from '../actors/node.ts'
import type { Answer, Client } from '../http/client.ts'
import { appHeaders, type ServerOfTest, type SessionOfTest } from '../http/harness.ts'
import { type SessionEdge, statusIn } from './session-paths.ts'

/** The work on a submission, which ends when the path says so. */
type Work = { readonly done: (outcome: EffectOutcome) => void; readonly died: (error: Error) => void }

export type Run = {
  readonly server: ServerOfTest
  readonly call: Client['call']
  readonly session: SessionOfTest
  readonly works: Work[]
  /** the submission that waits for its outcome */
  pending: Promise<Answer> | null
  /** makes each call of the app another one, so that none is a repetition */
  calls: number
}

/** The body of the submissions of paths. */
export const SUBMITTED = '{}'

/** The lease of a claim is renewed so often by whoever works on it. */
const RENEWAL_MS = 10_000

/** What each event is over HTTP: the answer when the chart takes it, and when it refuses. */
const EXPECTED: Readonly<Record<string, readonly [accepted: string, refused: string]>> = {
  'frontend.chose': ['200', '403 UNEXPECTED_REQUEST'],
  'frontend.paired': ['204', '403 UNEXPECTED_REQUEST'],
  'app.connected': ['200', '400 SESSION_UNKNOWN'],
  'app.fetched': ['200', '400 SESSION_UNKNOWN'],
  'app.failed': ['400', '400 SESSION_UNKNOWN'],
  'app.submitted': ['200', '400 SESSION_UNKNOWN'],
  cancelled: ['200', '200'],
}

/** What a submission is answered whose claim ends so. */
export const OUTCOMES: Readonly<Record<string, number>> = {
  'server.checked': 200,
  'server.askedNext': 200,
  'server.signed': 200,
  'server.failed': 400,
  'claim.voided': 503,
}

const CANCELLING = cancelledBy(new MalformedInput('x'), false)

/** Work of the runs of a server, held until a step ends it. */
export function heldWork() {
  const worksOf = new Map<string, Work[]>()
  const of = (clientToken: string): Work[] => {
    const works = worksOf.get(clientToken) ?? []
    worksOf.set(clientToken, works)
    return works
  }
  const perform: PerformEffect = ({ clientToken }) =>
    new Promise<EffectOutcome>((done, died) => of(clientToken).push({ done, died }))
  return { of, perform }
}

export function newRun(server: ServerOfTest, session: SessionOfTest, works: Work[], call = server.call): Run {
  return { server, session, works, call, pending: null, calls: 0 }
}

/** An outcome that no claim waits for cannot come over HTTP. The app of these paths says who it is; one that does not: http/unbound-app.test.ts. */
export function isReachable({ event, isAccepted }: SessionEdge): boolean {
  if (event.type === 'app.fetchedOnce') return false
  return isAccepted || !('claim' in event) || event.type === 'app.submitted'
}

function callOf({ call, session, ...run }: Run, { event, from }: SessionEdge): Promise<Answer> {
  const { app, frontend, authorization: headers } = session
  const asApp = appHeaders('2.4', `2.${8 + run.calls}`)
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
      return call('GET', `${app}/request`, { headers: asApp })
    case 'app.submitted':
      return call('POST', `${app}/proofs`, { headers: asApp, body: SUBMITTED })
    case 'app.failed':
      return from.startsWith('INITIALIZED')
        ? call('GET', app, { headers: appHeaders(`x${run.calls}`) })
        : call('POST', `${app}/commitments`, { headers: asApp, body: SUBMITTED })
    default:
      return call('DELETE', app)
  }
}

/** Plays one step, and asserts what is answered. */
export async function playStep(run: Run, edge: SessionEdge): Promise<void> {
  const { event, isAccepted } = edge
  run.calls += 1
  if (isTimer(event.type)) {
    const { deadlineAt } = await run.server.rowOf(run.session)
    return elapse(run.server.clock, deadlineAt - run.server.clock.now())
  }
  if (event.type === 'app.submitted' && isAccepted) {
    run.pending = callOf(run, edge)
    while (run.works.length === 0) await settle(1)
    return
  }
  if (event.type === 'claim.renewed') return elapse(run.server.clock, RENEWAL_MS)
  if ('claim' in event && event.type !== 'app.submitted') return endWork(run, edge)
  const { status, json } = await callOf(run, edge)
  const [accepted, refused] = EXPECTED[event.type] ?? ['', '']
  const expected = isAccepted ? accepted : edge.from === 'forgotten' ? '400 SESSION_UNKNOWN' : refused
  const answered = isAccepted ? String(status) : [status, Object(json).error].join(' ').trim()
  assert.is(answered, expected, `${event.type} in ${edge.from}`)
  if (event.type === 'cancelled') await assertPending(run, 400)
}

async function endWork(run: Run, { event, from, to }: SessionEdge): Promise<void> {
  const work = run.works.pop()
  const isOver = statusIn(from) !== statusIn(to) || event.type === 'claim.voided'
  if (event.type === 'server.checked' || event.type === 'server.askedNext' || event.type === 'server.signed')
    work?.done({ ...VALID, event, progress: 'the work so far' })
  else if (event.type === 'server.failed') work?.done({ ...CANCELLING, event })
  else work?.died(new Error('the worker died'))
  if (isOver) return assertPending(run, OUTCOMES[event.type] ?? 0)
  while (run.works.length === 0) await settle(1) // the next step of the work has begun
}

async function assertPending(run: Run, status: number): Promise<void> {
  if (run.pending) assert.is((await run.pending).status, status, 'the submission that waited')
  run.pending = null
}
