/** The paths of the session chart over real HTTP. After every step the status that readers see is the chart's, a refused event has changed nothing of the
 *  row, and the event stream sent exactly the changes. @module */
import * as assert from 'uvu/assert'
import type { Sessions } from '../../actors/sessions.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { withMethods, withServer } from '../http/harness.ts'
import { suite } from '../suite.ts'
import { planOf } from './engine/plan.ts'
import { heldWork, isReachable, newRun, OUTCOMES, playStep, type Run } from './play-path.ts'
import { CLAIM, SESSION_MODEL, type SessionEdge, type SessionPath, statusIn } from './session-paths.ts'

const Paths = suite('paths of the session chart over HTTP')

const FINAL = ['DONE', 'CANCELLED', 'TIMEOUT']

async function assertStatus({ call, session }: Run, { to }: SessionEdge): Promise<void> {
  const { text, status } = await call('GET', `${session.requestor}/status`)
  if (to === 'forgotten') assert.is(status, 400, to)
  else assert.is(text, `"${statusIn(to)}"`, to)
}

function storedRow({ server, session }: Run): Promise<SessionRow | null> {
  return server.sessions.findByClientToken(session.clientToken)
}

/** The frames of a stream that follows a path: its changes of status, and the end of the stream after a final one. */
function framesOf({ steps }: SessionPath): (string | null)[] {
  const changes = steps
    .map(({ from, to }) => [statusIn(from), statusIn(to)] as const)
    .filter(([from, to]) => from !== to && to !== 'forgotten')
    .map(([, to]) => to)
  const isOver = FINAL.includes(changes.at(-1) ?? '')
  return ['event: open', ...changes.map(status => `data: "${status}"`), ...(isOver ? [null] : [])]
}

async function replay(path: SessionPath): Promise<void> {
  const work = heldWork()
  const effects = { check: work.perform, askNext: work.perform, sign: work.perform }
  const wrapSessions = (sessions: Sessions) =>
    withMethods(sessions, {
      open: session => sessions.open({ ...session, ...path.variant, hasCallback: false }),
    })
  await withServer({ effects, wrapSessions }, async server => {
    const session = await server.create()
    const stream = await server.open(`${session.requestor}/statusevents`)
    const run = newRun(server, session, work.of(session.clientToken))
    for (const edge of path.steps.filter(isReachable)) {
      const before = await storedRow(run)
      await playStep(run, edge)
      const after = await storedRow(run)
      if (!edge.isAccepted) assert.equal(after, before, path.title)
      if (!FINAL.includes(statusIn(edge.to)))
        assert.is(after?.result ?? null, null, 'no result before the end')
      await assertStatus(run, edge)
    }
    for (const frame of framesOf(path)) assert.is(await stream.next(), frame)
    stream.leave()
    assert.equal(await server.store.deliveries.list(), [], 'nobody asked for a callback')
    run.pending?.catch(() => {})
  })
}

const paths = planOf(SESSION_MODEL).paths.filter(({ variant }) => variant.app === 'bound')
for (const path of paths.filter(({ variant }) => !variant.hasCallback)) Paths(path.title, () => replay(path))

Paths('outcomes of the standing claim are among the paths', () => {
  const events = paths.flatMap(({ steps }) => steps.map(({ event }) => event))
  for (const type of Object.keys(OUTCOMES))
    assert.ok(events.some(event => event.type === type && 'claim' in event && event.claim === CLAIM))
})

Paths.run()
