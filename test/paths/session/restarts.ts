/** Idle sessions while their server restarts, in each state of the chart. An active claim becomes void and the deadline stays. The new server keeps
 *  the deadline without any call. @module */
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { suite } from '../../suite.ts'
import { type Graph, graphOf, waysOf } from '../engine/graph.ts'
import { newRun } from '../play-path.ts'
import { SESSION_MODEL, type SessionEdge, type SessionVariant } from '../session-paths.ts'
import { passTo, until } from '../until.ts'
import { observe, storedRow, toldAtOpening } from './observers.ts'
import {
  compare,
  type PlayerParts,
  playAndCompare,
  type Served,
  type Session,
  withSessions,
} from './player.ts'

type Sleeper = {
  readonly variant: SessionVariant
  readonly state: string
  /** the steps to its state */
  readonly steps: readonly SessionEdge[]
  /** the following steps without any call, in their order */
  readonly wakes: readonly SessionEdge[]
}

/** The steps that follow a state without any call: the end of a claim whose process has ended, and the deadlines. */
function wakesFrom({ edges }: Graph<SessionEdge['event'], SessionVariant>, state: string): SessionEdge[] {
  const next = edges
    .get(state)
    ?.find(({ trigger, isAccepted }) => isAccepted && ['time passes', 'claim.voided'].includes(trigger))
  return next ? [next, ...wakesFrom({ start: '', edges }, next.to)] : []
}

/** One sleeper in each state of the chart that time can leave. */
function sleepers(): Sleeper[] {
  const seen = new Set<string>()
  return SESSION_MODEL.variants.flatMap(variant => {
    const graph = graphOf(SESSION_MODEL, variant)
    return waysOf(graph).flatMap(({ state, steps }) => {
      const wakes = wakesFrom(graph, state)
      if (wakes.length === 0 || seen.has(state)) return []
      seen.add(state)
      return { variant, state, steps, wakes }
    })
  })
}

/** Time passes for a session without calls. If the store knows that the process of a claim has ended, the claim is void at once, else when its lease expires. */
async function wake({ server }: Served, session: Session, edge: SessionEdge): Promise<void> {
  const { model, run } = session
  const { clock } = server
  const isAwake = async () => (await storedRow(server, run.session))?.version !== model.version
  if (edge.trigger === 'time passes') {
    await passTo(clock, model.context.deadlineAt - 1, server.store)
    assert.not(await isAwake(), 'before the deadline')
  }
  const { claim } = (await storedRow(server, run.session)) ?? { claim: null }
  if (!(await isAwake())) await passTo(clock, claim?.leaseUntil ?? model.context.deadlineAt, server.store)
  await until(isAwake)
  assert.equal(model.move(model.stamped(edge, clock.now())), edge.effects, 'effects')
  await compare(session)
}

/** The tests of every state.
 *  @param newPlace makes a store for each test; a second call of the place that it returned opens the same store */
export function runRestarts(name: string, newPlace: () => PlayerParts): void {
  const Restarts = suite(`a restarted server on ${name}`)
  for (const { variant, state, steps, wakes } of sleepers())
    Restarts(
      `a session in ${state} continues to its end: ${wakes.map(({ to }) => to).join(', ')}`,
      async () => {
        const clock = createSimulatedClock(Date.UTC(2026, 5, 1))
        const limits = { stopMs: 0 } // the work on a claim has no time to finish
        const { settings, store } = newPlace()
        const place = { clock, settings: { ...settings, limits }, ...(store && { store }) }
        const left: Session[] = []
        await withSessions(place, async ({ begin }) => {
          const session = await begin(variant)
          for (const step of steps) await playAndCompare(session, step)
          session.run.pending?.answer.catch(() => {}) // fails when the server closes
          left.push(session)
        })
        await withSessions(place, async served => {
          for (const { run, model, callbacks } of left) {
            const row = await storedRow(served.server, run.session)
            if (row === null) throw new Error('expected a session that is stored, got none')
            const isTold = toldAtOpening(model, row)
            const observers = await observe(served.server, run.session, model.changes.length, isTold)
            const again = { run: newRun(served.server, run.session), model, callbacks, observers }
            for (const edge of wakes) await wake(served, again, edge)
          }
        })
      },
    )
  Restarts('the sessions cover every state of the chart, except the deleted one', () => {
    const connected = ['awaiting', 'checking', 'askingNext', 'signing'].map(name => `CONNECTED.${name}`)
    const states = [
      ...['INITIALIZED none', 'INITIALIZED pin', 'PAIRING', 'DONE', 'CANCELLED', 'TIMEOUT'],
      ...connected.flatMap(state => [state, `${state} fetched`]),
    ]
    assert.equal(
      sleepers()
        .map(({ state }) => state)
        .sort(),
      states.sort(),
    )
  })
  Restarts.run()
}
