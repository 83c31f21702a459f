/** Scripts: random events of one session at two nodes. This module plays them, and prints a failing one so that it can be kept as a test. @module */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { ACTIONS, calm, endAllWork } from './actions.ts'
import { assertAnswered, assertAnswers, assertOneOutcome } from './answer-laws.ts'
import { FINAL, isFinal } from './asks.ts'
import { assertCommits, assertNoWorkInVain, assertWork } from './commit-laws.ts'
import { assertAgreed, assertDeadlines, assertDelivered, assertOwed, assertStreams } from './observer-laws.ts'
import { type Kind, RETENTION_MS } from './played-node.ts'
import { type AheadMs, NAMES, World } from './world.ts'

/** Concurrent events, between two checks. */
type Moment = readonly string[]

export type Script = {
  readonly kind: Kind
  readonly moments: readonly Moment[]
  /** absent if both nodes share one clock, on a store that is not a shared one */
  readonly aheadMs?: AheadMs
}

const action = fc.oneof(
  ...Object.entries(ACTIONS).map(([title, { weight }]) => ({ weight, arbitrary: fc.constant(title) })),
)

const FOLLOWS: Moment = ['A: the requestor follows', 'B: the frontend follows']
const CONNECTS: Moment = ['A: the app connects']
const PAIRS: readonly Moment[] = [['A: the frontend turns pairing on'], CONNECTS]
const PAIRED: readonly Moment[] = [...PAIRS, ['B: the frontend completes pairing']]
/** Beginnings of scripts, so that many of them reach states with many possible faults. */
const OPENINGS: readonly (readonly Moment[])[] = [
  [],
  [FOLLOWS],
  [FOLLOWS, CONNECTS],
  PAIRS,
  [FOLLOWS, ...PAIRS],
  PAIRED,
  [CONNECTS, ['A: the app submits one']],
  [FOLLOWS, ...PAIRED, ['B: the app submits one']],
  [FOLLOWS, ['A: the frontend turns pairing on'], ['B: the store does not answer']],
]

/** Clocks of nodes that differ by five seconds. */
const CLOCKS: readonly Pick<Script, 'aheadMs'>[] = [
  { aheadMs: { A: 0, B: 5_000 } },
  { aheadMs: { A: -5_000, B: 0 } },
]

export const scripts: fc.Arbitrary<Script> = fc
  .record({
    kind: fc.record({ hasNextSession: fc.boolean(), issues: fc.boolean() }),
    clocks: fc.constantFrom<Pick<Script, 'aheadMs'>>({}, ...CLOCKS),
    opening: fc.constantFrom(...OPENINGS),
    moments: fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 }),
  })
  .map(({ kind, clocks, opening, moments }) => ({ kind, ...clocks, moments: [...opening, ...moments] }))

/** The script in the form of a test that keeps it. */
export function shownScript({ kind, moments, aheadMs }: Script): string {
  const lines = moments.map(moment => `    ${JSON.stringify(moment)},`)
  const clocks = aheadMs ? [`  aheadMs: ${JSON.stringify(aheadMs)},`] : []
  return ['{', `  kind: ${JSON.stringify(kind)},`, ...clocks, '  moments: [', ...lines, '  ],', '}'].join(
    '\n',
  )
}

/** @throws on the first broken law
 *  @returns the situations that it reached */
export async function play({ kind, moments, aheadMs }: Script): Promise<World> {
  const world = new World(kind, aheadMs)
  for (const name of NAMES) await world.start(name)
  await world.create()
  const look = watching(world)
  for (const moment of moments) {
    for (const title of moment) await actionOf(title).act(world)
    await look()
  }
  await end(world, look)
  return world
}

function actionOf(title: string) {
  const action = ACTIONS[title]
  if (!action) throw new TypeError(`expected an action of a script, got ${title}`)
  return action
}

/** Checks everything that has happened since the last check. */
function watching(world: World): () => Promise<void> {
  let commits = 0
  const judged = new Set<unknown>()
  return async () => {
    await world.elapse(0)
    assertCommits(world, commits)
    commits = world.history.length
    const answered = world.calls.filter(call => call.answer !== null && !judged.has(call))
    for (const call of answered) judged.add(call)
    assertAnswers(world, answered)
    assertWork(world)
    assertNoWorkInVain(world)
    assertAnswered(world)
    assertOneOutcome(world)
    assertStreams(world)
    assertDeadlines(world)
    await assertOwed(world)
    assert.equal(
      world.logged.filter(line => line === 'unexpected failure'),
      [],
      'bugs in the log',
    )
  }
}

/** Lets all open work end, and then the session. */
async function end(world: World, look: () => Promise<void>): Promise<void> {
  const row = () => world.history.at(-1)?.row
  await calm(world)
  for (let rounds = 0; rounds < 8 && row() && !isFinal(row()?.status); rounds++) {
    await endAllWork(world)
    await look()
    const { claim, deadlineAt = 0 } = row() ?? {}
    if (isFinal(row()?.status)) break
    // several nodes read due work at different times
    const latestAt = (claim?.leaseUntil ?? deadlineAt) + (world.aheadMs ? 1_000 : 0)
    await world.elapse(Math.max(1, latestAt - world.clock.now()))
  }
  await look()
  const status = row()?.status ?? world.history.at(-2)?.row?.status
  const final = FINAL.find(each => each === status)
  if (final === undefined) throw new Error(`expected a session that ends, got ${status}`)
  // a session at the end of its retention is removed when a party reads it
  if ((row()?.deadlineAt ?? 0) > world.clock.now()) await assertAgreed(world, final)
  await world.elapse(RETENTION_MS + 6_000)
  await look()
  assert.is(row(), null, 'the end of retention')
  for (const { answer, view, title } of world.calls)
    assert.ok(answer !== null || view.fate === 'gone', `${title}: no answer at the end`)
  await assertDelivered(world, final)
}
