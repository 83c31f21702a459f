/** A chart as data equals its definition, or is refused. */
import * as assert from 'uvu/assert'
import { and, assign, createMachine, not, or, setup, stateIn } from 'xstate'
import { CHARTS } from '../../charts/all-charts.ts'
import { conditionText, type Transition } from '../../charts/chart.ts'
import { describeChart } from '../../charts/describe.ts'
import { suite } from '../suite.ts'

const Describe = suite('charts: a definition as data')

function found(chart: keyof typeof CHARTS, source: string, cause: string): readonly Transition[] {
  return CHARTS[chart].transitions.filter(each => each.source === source && each.cause.name === cause)
}

Describe('states have their paths, parents, kinds and initial states', () => {
  const { initial, states } = CHARTS.login
  assert.is(initial, 'active')
  assert.equal(
    states.find(({ id }) => id === 'active'),
    {
      id: 'active',
      name: 'active',
      parent: null,
      kind: 'parallel',
      initial: null,
    },
  )
  assert.equal(
    states.find(({ id }) => id === 'active.challenge'),
    {
      id: 'active.challenge',
      name: 'challenge',
      parent: 'active',
      kind: 'compound',
      initial: 'active.challenge.none',
    },
  )
})

Describe(
  'branches of one event are in the order in which they are tried; effects and facts are separate lists',
  () => {
    const branches = found('session', 'CONNECTED.checking', 'server.checked')
    assert.equal(
      branches.map(({ guard, target, effects, facts }) => [
        guard && conditionText(guard),
        target,
        effects,
        facts,
      ]),
      [
        ['leadsToNext', 'CONNECTED.askingNext', ['askNext'], ['renewLease']],
        ['leadsToSigning', 'CONNECTED.signing', ['sign'], ['renewLease']],
        ['isCurrentOwing', 'DONE', ['oweCallback'], ['endClaim', 'startRetention']],
        ['isCurrentClaim', 'DONE', [], ['endClaim', 'startRetention']],
      ],
    )
  },
)

Describe('a timer has the name of its delay, and a transition that stays in its state has no target', () => {
  const [timer] = found('delivery', 'waiting', 'pause')
  assert.equal(timer?.cause, { kind: 'delay', name: 'pause' })
  assert.is(found('delivery', 'waiting', 'operator.replayed')[0]?.target, null)
  assert.is(
    found('session', 'CONNECTED.awaiting', 'app.fetched')[0]?.target,
    null,
    'a transition to its own state has no target either',
  )
})

Describe('combined guards are split into their parts, and a guard with params keeps its name', () => {
  const parts = setup({
    guards: { isOld: () => true, isNew: (_, { at }: { readonly at: number }) => at > 0 },
  })
  const machine = parts.createMachine({
    initial: 'a',
    states: {
      a: {
        on: {
          go: { guard: and(['isOld', not(stateIn('b'))]), target: 'b' },
          stay: { guard: { type: 'isNew', params: { at: 1 } }, target: 'b' },
        },
      },
      b: {},
    },
  })
  assert.equal(
    describeChart('session', machine).transitions.map(({ guard }) => guard && conditionText(guard)),
    ['isOld and not in b', 'isNew'],
  )
})

const base = { initial: 'a', states: { a: {}, b: {} } }
const REFUSED = {
  'an action on entry': [
    createMachine({ ...base, entry: [], states: { a: { entry: 'note' }, b: {} } }),
    'entry',
  ],
  'a history state': [createMachine({ ...base, states: { a: {}, b: { type: 'history' } } }), 'history'],
  'a transition without an event': [
    createMachine({ ...base, states: { a: { always: 'b' }, b: {} } }),
    'always',
  ],
  'an action that is a function': [
    createMachine({ ...base, states: { a: { on: { go: { actions: assign({}) } } }, b: {} } }),
    'action',
  ],
  'an action without an implementation': [
    createMachine({ ...base, states: { a: { on: { go: { actions: 'note' } } }, b: {} } }),
    'action note',
  ],
  'a guard that is a function': [
    createMachine({ ...base, states: { a: { on: { go: { guard: () => true, target: 'b' } } }, b: {} } }),
    'a guard by its name',
  ],
  'a choice of guards': [
    createMachine({
      ...base,
      states: { a: { on: { go: { guard: or([stateIn('a')]), target: 'b' } } }, b: {} },
    }),
    'a guard by its name',
  ],
  'a chart without an initial state': [setup({}).createMachine({}), 'a state to begin in'],
} as const

for (const [what, [machine, words]] of Object.entries(REFUSED))
  Describe(`${what} is refused, since no drawing would show it`, () => {
    assert.throws(() => describeChart('session', machine), words)
  })

Describe.run()
