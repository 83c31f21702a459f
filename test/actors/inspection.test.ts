/** Viewers of the charts get each committed step, without secrets. Without a viewer the inspection does no work. */
import * as assert from 'uvu/assert'
import { createActor, createMachine, sendParent } from 'xstate'
import { sendWatched } from '../../actors/inspection/edges.ts'
import { Inspection, type Viewer } from '../../actors/inspection/inspection.ts'
import { shownEvent, shownFacts } from '../../actors/inspection/shown.ts'
import { type ShownActor, type ShownStep, shownAccount, shownSession } from '../../actors/inspection/views.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { type Fault, faultyStore } from '../faults/faulty-store.ts'
import { rejection } from '../faults/rejection.ts'
import { accountRow } from '../stores/account-rows.ts'
import { sessionRow } from '../stores/rows.ts'
import { suite } from '../suite.ts'
import { createTestNode, elapse, idOf, MINUTE } from './node.ts'

const failing = (error: unknown): never => {
  throw error
}

/** A viewer that records what it receives: `EVENT:STATUS` for a step, `STATUS` for another change. */
function watching(inspection: Inspection) {
  const seen: string[] = []
  const viewer: Viewer = {
    stepped: ({ event, actor }) => seen.push(`${event.type}:${actor?.status ?? 'forgotten'}`),
    changed: (_chart, _id, actor) => seen.push(actor?.status ?? 'forgotten'),
  }
  return { seen, viewer, stop: inspection.follow(viewer) }
}

const Watched = suite('watching the charts')

for (const fault of ['fails', 'loses', 'unknown'] as const satisfies readonly Fault[])
  Watched(
    `a step is seen once it is committed, and not if its commit ${fault === 'unknown' ? 'has an unknown outcome' : fault}`,
    async () => {
      const store = faultyStore(createMemoryStore())
      const inspection = new Inspection(failing)
      const node = createTestNode({ store, inspection })
      await node.open('s', { hasCallback: false })
      const { seen } = watching(inspection)
      store.faults.push(fault)
      const turn = node.connect()
      const outcome = fault === 'loses' ? await turn : await rejection(turn)
      // a turn that lost the race is retried
      assert.equal(seen, fault === 'loses' ? ['app.connected:CONNECTED'] : [], outcome)
      await node.turn({ type: 'cancelled' })
      assert.is(seen.at(-1), 'cancelled:CANCELLED')
    },
  )

Watched(
  'a session has a live actor between its calls, and none before the first and after the last one',
  async () => {
    const inspection = new Inspection(failing)
    const node = createTestNode({ inspection })
    await node.open('s', { hasCallback: false })
    const isAwake = async () => (await inspection.find(idOf('s')))?.isAwake
    const seen = [await isAwake()]
    await node.connect()
    seen.push(await isAwake())
    await node.turn({ type: 'cancelled' })
    seen.push(await isAwake())
    await node.turn({ type: 'cancelled' }) // the chart refuses this event
    assert.equal([...seen, await isAwake()], [false, true, false, false])
  },
)

Watched('viewers see that a session that has ended has no live actor', async () => {
  const inspection = new Inspection(failing)
  const node = createTestNode({ inspection })
  const told: (boolean | undefined)[] = []
  inspection.follow({ stepped: ({ actor }) => told.push(actor?.isAwake), changed() {} })
  await node.open('s', { hasCallback: false })
  await node.connect()
  await node.turn({ type: 'cancelled' })
  assert.equal(told, [true, false])
})

Watched('a viewer gets a step only after its commit', async () => {
  const store = faultyStore(createMemoryStore())
  const inspection = new Inspection(failing)
  const node = createTestNode({ store, inspection })
  await node.open('s', { hasCallback: false })
  const { seen } = watching(inspection)
  let goOn = (): void => {}
  store.hold = new Promise(resolve => {
    goOn = resolve
  })
  const turn = node.connect()
  await elapse(node.clock, 10)
  assert.equal(seen, [])
  goOn()
  await turn
  assert.equal(seen, ['app.connected:CONNECTED'])
})

Watched('a viewer that begins during a commit gets the committed row as a change', async () => {
  const store = faultyStore(createMemoryStore())
  const inspection = new Inspection(failing)
  const node = createTestNode({ store, inspection })
  await node.open('s', { hasCallback: false })
  let goOn = (): void => {}
  store.hold = new Promise(resolve => {
    goOn = resolve
  })
  const turn = node.connect()
  await elapse(node.clock, 10)
  const { seen } = watching(inspection)
  assert.is((await inspection.find(idOf('s')))?.status, 'INITIALIZED')
  goOn()
  await turn
  assert.equal(seen, ['CONNECTED'])
})

Watched(
  'transitions of another actor in the same system are not reported as transitions of the viewed actor',
  () => {
    const child = createMachine({ on: { asked: { actions: sendParent({ type: 'told' }) } } })
    const parent = createMachine({ invoke: { id: 'child', src: child }, on: { told: {} } })
    const actor = createActor(parent).start().getSnapshot().children.child
    const taken = actor && sendWatched(actor, { type: 'asked' })
    assert.equal(
      taken?.map(({ eventType }) => eventType),
      ['asked'],
    )
  },
)

Watched('an error in a viewer is reported, and does not affect the session', async () => {
  const failures: unknown[] = []
  const inspection = new Inspection(error => failures.push(error))
  const node = createTestNode({ inspection })
  inspection.follow({
    stepped: () => failing(new Error('a viewer fails')),
    changed: () => failing(new Error('a viewer fails')),
  })
  await node.open('s', { hasCallback: false })
  assert.is(await node.connect(), 'CONNECTED')
  assert.is(await node.submit(), '{"proofStatus":"VALID"}')
  assert.equal([node.reports, failures.length], [[], 4])
})

Watched('without a viewer, no views of steps are made', async () => {
  const made: string[] = []
  const inspection = Object.assign(new Inspection(failing), {
    stepped: (step: ShownStep) => made.push(step.id),
    changed: (_chart: string, id: string) => made.push(id),
  })
  const node = createTestNode({ inspection })
  const { stop } = watching(inspection)
  stop()
  await node.open('s', { hasCallback: false })
  await node.connect()
  assert.equal(made, [])
  inspection.follow({ stepped() {}, changed() {} })
  await node.turn({ type: 'cancelled' })
  assert.equal(made, [idOf('s')])
})

Watched('viewers see the closed status of a row that no chart can read, and its deletion', async () => {
  const store = createMemoryStore()
  const inspection = new Inspection(failing)
  const node = createTestNode({ store, inspection })
  const row = await node.open('s', { hasCallback: false })
  await store.commit({ session: { id: row.id, version: 1, row: { ...row, version: 2, snapshot: null } } })
  const { seen } = watching(inspection)
  await node.turn({ type: 'cancelled' })
  assert.equal(seen, ['CANCELLED', 'waiting'], 'its delivery begins with it')
  assert.equal((await inspection.find(row.id))?.states, [])
  await elapse(node.clock, 6 * MINUTE)
  assert.equal(seen, ['CANCELLED', 'waiting', 'forgotten'])
})
Watched.run()

const Shown = suite('fields that may be shown')

const SECRET = 'token-of-somebody'

Shown('a field that is not listed, or has another form than its list says, is not shown', () => {
  const damaged = {
    pairing: SECRET,
    protocolVersion: SECRET,
    deadlineAt: SECRET,
    hasCallback: SECRET,
    claim: { token: SECRET },
    timeoutMs: 1.5,
    clientToken: SECRET,
    isFetched: true,
  }
  assert.equal(shownFacts('session', damaged), { isFetched: true })
  assert.equal(shownFacts('login', { comparing: [1, SECRET], attempts: 2 }), { attempts: 2 })
  for (const context of [null, undefined, SECRET, 7, [SECRET]])
    assert.equal(shownFacts('delivery', context), {})
  const event = { type: 'app.connected', at: 1, protocolVersion: SECRET, authorization: SECRET }
  assert.equal(shownEvent('session', event), { type: 'app.connected', fields: { at: 1 } })
  const versions = ['2.8', '2.10', '12.8', '2.8 ', 2.8, ['2.8']].map(protocolVersion =>
    shownFacts('session', { protocolVersion }),
  )
  assert.equal(versions, [{ protocolVersion: '2.8' }, { protocolVersion: '2.10' }, {}, {}, {}, {}])
})

Shown('a list of 100 numbers is shown, and a longer one is not', () => {
  const comparing = Array.from({ length: 100 }, (_, i) => i)
  assert.equal(shownFacts('login', { comparing }), { comparing })
  assert.equal(shownFacts('login', { comparing: [...comparing, 100] }), {})
})

Shown('a state that the chart does not have is not shown', () => {
  const statesOf = (value: unknown): ShownActor['states'] =>
    shownSession(sessionRow('s', { snapshot: { value, context: {} } }), false).states
  assert.equal(statesOf({ CONNECTED: 'checking' }), ['CONNECTED.checking'])
  for (const value of [SECRET, { CONNECTED: SECRET }, { [SECRET]: 'checking' }, null, undefined, 7, [SECRET]])
    assert.equal(statesOf(value), [])
})

Shown(
  'the time since which a session is in its status is its deadline minus the time limit of the status',
  () => {
    const context = { timeoutMs: 1_000, connectedTimeoutMs: 2_000, retentionMs: 3_000 }
    const statuses = ['INITIALIZED', 'PAIRING', 'CONNECTED', 'DONE', 'CANCELLED', 'TIMEOUT'] as const
    const times = statuses.map(status => {
      const row = sessionRow('s', { status, deadlineAt: 5_000, snapshot: { value: status, context } })
      return shownSession(row, false).sinceAt
    })
    assert.equal(times, [4_000, 3_000, 3_000, 2_000, 2_000, 2_000])
  },
)

Shown('an account is shown by its counters and the leaf of each of its regions', () => {
  const value = { active: { attempts: 'blocked', challenge: 'none', commitment: 'pendingV2' } }
  const context = { isDeviceBound: true, comparing: [4], challengeEndsAt: null, commitmentEndsAt: 9_000 }
  const row = accountRow('a', {
    snapshot: { value, context },
    attempts: 3,
    blockedUntil: 61_000,
    dueAt: 9_000,
  })
  assert.equal(shownAccount(row, true), {
    chart: 'login',
    id: 'id-a',
    version: 1,
    status: 'active',
    requestor: null,
    cause: null,
    isAwake: true,
    sinceAt: 1_000,
    dueAt: 9_000,
    states: ['active.attempts.blocked', 'active.challenge.none', 'active.commitment.pendingV2'],
    facts: { ...context, attempts: 3, blockedUntil: 61_000, deleteAt: null },
  })
  const disabled = accountRow('a', { snapshot: { value: 'disabled', context: {} } })
  assert.equal(
    [shownAccount(disabled, false).status, shownAccount(disabled, false).states],
    ['disabled', ['disabled']],
  )
  const closed = shownAccount({ ...disabled, chart: null, snapshot: null }, false)
  assert.equal([closed.status, closed.states], ['closed', []])
})

Shown('an account whose stored state is missing is not shown as active', () => {
  const row = accountRow('a', { snapshot: { value: null, context: {} } })
  assert.equal([shownAccount(row, false).status, shownAccount(row, false).states], ['disabled', []])
})
Shown.run()
