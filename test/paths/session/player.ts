/** A server at which paths of the session chart are played, one after the other. After every step the player compares every view of the session with the model: its
 *  row, the status that requestor, app and frontend read, the result, every stream, and the posts to the receiver of callbacks. @module */

import * as assert from 'uvu/assert'
import type { Sessions } from '../../../actors/sessions.ts'
import type { StampedEvent } from '../../../machines/session-events.ts'
import type { Fetch } from '../../../ports/fetch.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import {
  disclosure,
  type Parts,
  type ServerOfTest,
  type SessionOfTest,
  sessionIn,
  withMethods,
  withServer,
} from '../../http/harness.ts'
import { inTime } from '../../patience.ts'
import type { Walk } from '../engine/coverage.ts'
import { DEATH, heldWork, isByGate, newRun, playStep, type Run } from '../play-path.ts'
import type { SessionEdge, SessionPath, SessionVariant } from '../session-paths.ts'
import { until } from '../until.ts'
import { SessionModel } from './model.ts'
import {
  assertReaders,
  assertRow,
  assertStreams,
  type Observers,
  observe,
  resultOf,
  storedRow,
  withErrorType,
} from './observers.ts'

/** The timeouts and the retention of these sessions. All differ, so that a test notices a wrong one. */
const STAYS = { timeoutMs: 300_000, connectedTimeoutMs: 600_000, retentionMs: 180_000 }

/** The time between steps. It shows whether a step restarts a deadline. */
const STEP_MS = 1

/** The parts of a server of paths: its store, and optionally another chart. The expected values always come from the chart of the machines. */
export type PlayerParts = Pick<Parts, 'settings' | 'store' | 'chart' | 'clock'>

/** Plays a path, starting with the creation of a session.
 *  @param walk records each step that was played and compared */
export type Play = (path: SessionPath, walk: Walk<StampedEvent, SessionVariant>) => Promise<void>

/** A session while its path is played. */
export type Session = {
  readonly run: Run
  readonly model: SessionModel
  readonly observers: Observers
  /** the posts to its receiver of callbacks */
  callbacks(): unknown[]
}

/** A server of sessions whose work is held. */
export type Served = {
  readonly server: ServerOfTest
  begin(variant: SessionVariant): Promise<Session>
}

export async function withSessions(
  place: PlayerParts,
  use: (served: Served) => Promise<void>,
): Promise<void> {
  const work = heldWork()
  const posted: Record<string, unknown>[] = []
  const kind = { hasNextSession: false, issues: false }
  const wrapSessions = (sessions: Sessions) =>
    withMethods(work.watched(sessions), {
      open: session => sessions.open({ ...session, ...STAYS, ...kind }),
    })
  const fetch: Fetch = async (_url, init) => {
    posted.push(JSON.parse(String(init?.body)))
    return new Response(null, { status: 204 })
  }
  await withServer({ ...place, effects: work.effects, wrapSessions, fetch }, server => {
    const begin: Served['begin'] = async ({ hasNextSession, issues, hasCallback, app }) => {
      Object.assign(kind, { hasNextSession, issues })
      const created = await create(server, hasCallback)
      const model = new SessionModel({ ...STAYS, ...kind, hasCallback, at: server.clock.now() })
      const run = newRun(server, created, work.of(created.clientToken), server.call, app)
      const callbacks = () => posted.filter(({ token }) => token === created.requestorToken)
      return { run, model, observers: await observe(server, created), callbacks }
    }
    return use({ server, begin })
  })
}

export async function withPlayer(place: PlayerParts, use: (play: Play) => Promise<void>): Promise<void> {
  await withSessions(place, ({ begin }) =>
    use(async ({ variant, steps }, walk) => {
      const session = await begin(variant)
      try {
        for (const step of steps) {
          await playAndCompare(session, step)
          walk.note(step, isByGate(session.run, step))
        }
        assert.equal(failuresIn(session.run.server.log), [], 'log')
      } finally {
        await leave(session)
      }
    }),
  )
}

async function create(server: ServerOfTest, hasCallback: boolean): Promise<SessionOfTest> {
  const callback = hasCallback ? { callbackUrl: 'http://shop.example/done' } : {}
  return sessionIn(await server.post({ request: disclosure(), ...callback }))
}

/** Plays one step, and asserts that the chart, the server and every view of the session agree. */
export async function playAndCompare(session: Session, edge: SessionEdge): Promise<void> {
  const { run, model } = session
  const { server, session: created } = run
  if (edge.isAccepted) server.clock.advance(STEP_MS)
  const before = await storedRow(server, created)
  await playStep(run, edge, model.stamped(edge, server.clock.now()))
  if (edge.isAccepted)
    assert.equal(model.move(model.stamped(edge, server.clock.now())), edge.effects, 'effects')
  const where = `${edge.trigger} in ${edge.from}`
  try {
    if (!edge.isAccepted) assert.equal(await storedRow(server, created), before, 'refused')
    await compare(session)
  } catch (error) {
    if (error instanceof Error) error.message = `after ${where}: ${error.message}`
    throw error
  }
}

export async function compare({
  run: { server, session },
  model,
  observers,
  callbacks,
}: Session): Promise<void> {
  await assertRow(server, session, model)
  await assertStreams(observers, model)
  await assertReaders(server, session, model)
  await until(() => callbacks().length >= model.owed)
  const { outcome, changes, owed } = model
  const posted = Array.from({ length: owed }, () =>
    resultOf(session, { outcome, status: changes.at(-1) ?? null }),
  )
  assert.equal(callbacks().map(withErrorType), posted, 'callbacks')
  const delivery = await server.store.deliveries.load(`callback-${hashOfToken(session.clientToken)}`)
  assert.is(delivery !== null, owed > 0, 'a delivery exists if a callback is owed')
}

/** Removes everything of a session that could disturb the next one. */
async function leave({ run, observers }: Session): Promise<void> {
  const { requestor, app, frontend, returned } = observers
  for (const { leave } of [requestor, app, frontend, returned]) leave()
  await run.call('DELETE', run.session.app)
  if (run.pending) await inTime(run.pending.answer, 'the end of the submission')
}

/** Unexpected errors in the log of a server. The death of a worker that a path lets die is expected. The log is cleared. */
function failuresIn(log: string[]): string[] {
  return log.splice(0).filter(line => JSON.parse(line).level >= 50 && !line.includes(DEATH))
}
