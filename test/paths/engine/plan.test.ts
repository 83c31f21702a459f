/** The engine of paths on a chart of three rooms: the paths that it walks, and its line of coverage. @module */
import * as assert from 'uvu/assert'
import { assign, emit, type SnapshotFrom, setup } from 'xstate'
import { suite } from '../../suite.ts'
import { Coverage } from './coverage.ts'
import { type Edge, graphOf, type PathModel, pairOf, waysOf } from './graph.ts'
import { type Path, planOf } from './plan.ts'

type RoomEvent = { readonly type: 'in' | 'out' | 'light' | 'leave' }
type Variant = { readonly isNoisy: boolean }

const chart = setup({
  types: {
    context: {} as { isLit: boolean; isNoisy: boolean },
    events: {} as RoomEvent,
    input: {} as Variant,
  },
  actions: { light: assign({ isLit: true }), bang: emit({ type: 'bang' }) },
  guards: { isNoisy: ({ context }) => context.isNoisy, isLit: ({ context }) => context.isLit },
}).createMachine({
  context: ({ input: { isNoisy } }) => ({ isLit: false, isNoisy }),
  initial: 'hall',
  states: {
    hall: {
      on: {
        in: [{ guard: 'isNoisy', target: 'cellar', actions: 'bang' }, { target: 'cellar' }],
        leave: 'street',
      },
    },
    cellar: { on: { out: { guard: 'isLit', target: 'hall' }, light: { actions: 'light' } } },
    street: { type: 'final' },
  },
})

type Snapshot = SnapshotFrom<typeof chart>

const model: PathModel<Snapshot, RoomEvent, Variant, Variant> = {
  name: 'chart of rooms',
  chart,
  variants: [{ isNoisy: false }, { isNoisy: true }],
  inputOf: variant => variant,
  titleOf: ({ isNoisy }) => (isNoisy ? 'noisy' : ''),
  eventsOf: () => (['in', 'out', 'light', 'leave'] as const).map(type => ({ type })),
  stateOf: ({ value, context }) => `${value}${context.isLit ? ' lit' : ''}`,
  wordsOf: ({ type }) => type,
  effectsOf: ({ context }, { type }) => (context.isNoisy && type === 'in' ? ['bang'] : []),
}
const plan = planOf(model)

const EDGES = [
  'hall | in | cellar',
  'hall | leave | street',
  'cellar | light | cellar lit',
  'cellar lit | light | cellar lit',
  'cellar lit | out | hall lit',
  'hall lit | in | cellar lit',
  'hall lit | leave | street lit',
  'hall | in | cellar | bang',
  'hall lit | in | cellar lit | bang',
]

function stepsOf(
  paths: readonly Path<RoomEvent, Variant>[],
  isAccepted: boolean,
): Edge<RoomEvent, Variant>[][] {
  return paths.map(({ steps }) => steps.filter(step => step.isAccepted === isAccepted))
}

const Plan = suite('paths: the plan for a chart')

Plan('an edge is a state with an event; edges with different effects differ', () => {
  assert.equal([...plan.edges].sort(), [...EDGES].sort())
})

Plan('edges to the same state by different guards differ if the model lists the facts of the guards', () => {
  const askedOf = ({ type }: RoomEvent, { context }: Snapshot): string =>
    type === 'in' && context.isNoisy ? 'noisy' : ''
  const effectsOf = (): readonly string[] => []
  assert.equal(
    [...planOf({ ...model, effectsOf, askedOf }).edges].filter(key => key.startsWith('hall | in')),
    ['hall | in | cellar', 'hall | in | noisy | cellar'],
  )
})

Plan('each refused event of a state is tried once, and changes nothing', () => {
  const met = stepsOf(plan.paths, false).flat()
  // of the four events, two are accepted in the hall and in the lit cellar, one in the dark cellar, and none in the street
  assert.is(met.length, 2 + 2 + 3 + 2 + 4 + 4)
  assert.equal(met.map(({ key }) => key).sort(), [...plan.refused].sort())
  for (const { from, to } of met) assert.is(from, to)
})

Plan('every edge and every pair of edges is walked, and no path is the beginning of another one', () => {
  const walks = stepsOf(plan.paths, true)
  const pairs = walks.flatMap(steps => steps.slice(1).map((edge, i) => pairOf(steps[i] ?? edge, edge)))
  assert.equal([...new Set(pairs)].sort(), [...plan.pairs].sort())
  assert.equal([...new Set(walks.flat().map(({ key }) => key))].sort(), [...plan.edges].sort())
  const texts = walks.map(steps => `${steps.map(({ key }) => key).join(', ')}, `)
  for (const text of texts) assert.is(texts.filter(other => other.startsWith(text)).length, 1, text)
})

Plan('a path begins in the first state of an actor, and each step in the state after the last', () => {
  for (const { steps } of plan.paths)
    for (const [i, { from }] of steps.entries()) assert.is(from, i === 0 ? 'hall' : steps[i - 1]?.to)
})

Plan('pairs are chained: a path continues while it can reach a pair that is not walked yet', () => {
  assert.equal(
    plan.paths.map(({ title }) => title),
    [
      'in, light, out, in, out, leave, then street lit',
      'leave, then street',
      'in, light, light, out, in, light, light, then cellar lit',
      'noisy: in, light, out, in, then cellar lit',
    ],
  )
})

Plan('a path ends at the longest length, and the next paths walk the remaining pairs', () => {
  const walks = stepsOf(planOf(model, 4).paths, true)
  // the fifth step is the second step of a way that began within the length
  assert.is(Math.max(...walks.map(({ length }) => length)), 5)
  const pairs = walks.flatMap(steps => steps.slice(1).map((edge, i) => pairOf(steps[i] ?? edge, edge)))
  assert.equal([...new Set(pairs)].sort(), [...plan.pairs].sort())
})

Plan('waysOf returns a shortest way to each state', () => {
  const graph = graphOf(model, { isNoisy: false })
  const ways = waysOf(graph).map(({ state, steps }) => [state, steps.map(({ trigger }) => trigger).join(' ')])
  assert.equal(ways, [
    ['hall', ''],
    ['cellar', 'in'],
    ['street', 'leave'],
    ['cellar lit', 'in light'],
    ['hall lit', 'in light out'],
    ['street lit', 'in light out leave'],
  ])
})

/** The coverage after such paths. */
function covered(paths: readonly Path<RoomEvent, Variant>[]): Coverage<RoomEvent, Variant> {
  const coverage = new Coverage(plan, 'on paper')
  for (const { steps } of paths) {
    const walk = coverage.begin()
    for (const step of steps) walk.note(step)
  }
  return coverage
}

const Covered = suite('paths: coverage')

Covered('the line counts the walked part of the plan', () => {
  assert.is(
    covered(plan.paths).line(),
    'chart of rooms on paper: 9 of 9 edges, 17 of 17 refused events, 9 of 9 pairs',
  )
  assert.is(covered([]).line(), 'chart of rooms on paper: 0 of 9 edges, 0 of 17 refused events, 0 of 9 pairs')
})

Covered(
  'coverage lacks an edge, a refused event or a pair after a missing path, a missing step or another order',
  () => {
    const [first] = plan.paths
    assert.equal(covered(plan.paths.slice(0, -1)).left('edges'), [
      'hall | in | cellar | bang',
      'hall lit | in | cellar lit | bang',
    ])
    const steps = first?.steps.filter(({ isAccepted }) => isAccepted) ?? []
    const only = covered([{ title: '', variant: { isNoisy: false }, steps }])
    assert.is(only.left('refused').length, 17)
    assert.equal(covered(plan.paths).left('pairs'), [])
    const backwards = plan.paths.map(path => ({ ...path, steps: [...path.steps].reverse() }))
    assert.is.not(covered(backwards).left('pairs').length, 0)
  },
)

Covered('the line contains the number of events that were sent through the gate', () => {
  const coverage = new Coverage(plan, 'on paper')
  const [step] = plan.paths[0]?.steps ?? []
  if (step) coverage.begin().note(step, true)
  assert.match(coverage.line(), /pairs \(1 events through the gate\)$/)
})

Plan.run()
Covered.run()
