/** spec/laws#3: deadlines are absolute, and the gate fires them. A timer, an eviction, a late wake and a dead node are handled alike. @module */
import * as assert from 'uvu/assert'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { SessionStore } from '../../stores/session-store.ts'
import { connectedNode, createTestNode, deferred, elapse, MINUTE, settle, VALID } from '../actors/node.ts'
import { withChanges, withSessions } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { faultyStore } from './faulty-store.ts'

const DAY = 24 * 60 * MINUTE
const LONGEST = 2 ** 31 - 1

const Law = suite('spec/laws#3: deadlines')

Law('a session times out at its deadline, to the millisecond', async () => {
  const n = createTestNode()
  await n.open('s', { timeoutMs: 1_000 })
  const changes = n.follow('s')
  await elapse(n.clock, 999)
  assert.equal(changes, [])
  await elapse(n.clock, 1)
  assert.equal(changes, ['INITIALIZED>TIMEOUT'])
})

for (const hours of [-2, 2])
  Law(`a system clock that is set by ${hours} hours moves neither deadline nor retention`, async () => {
    const n = createTestNode({ limits: { maxLive: 1 } })
    for (const name of ['s', 'evicted', 't']) await n.open(name, { timeoutMs: 10_000 })
    n.clock.setWall(hours * 60 * MINUTE)
    await n.open('live', { timeoutMs: 1_000 })
    await elapse(n.clock, 1_000)
    assert.is((await n.row('live'))?.status, 'TIMEOUT')
    await elapse(n.clock, 8_999)
    assert.is((await n.row('evicted'))?.status, 'INITIALIZED')
    await elapse(n.clock, 5_001) // until the next round of the index of deadlines
    assert.is((await n.row('evicted'))?.status, 'TIMEOUT')
    await elapse(n.clock, 5 * MINUTE)
    assert.is(await n.row('evicted'), null)
  })

Law('a refused event does not move the timer of the deadline', async () => {
  const n = createTestNode()
  await n.open('s', { timeoutMs: 1_000 })
  assert.is(await n.submit(), 'refused INITIALIZED')
  await elapse(n.clock, 1_000)
  assert.is((await n.row())?.status, 'TIMEOUT')
})

Law('an overdue deadline takes effect before a new event', async () => {
  const store = createMemoryStore()
  const first = createTestNode({ store }) // its clock stops here
  await first.open()
  const later = createTestNode({ store })
  later.clock.advance(7 * MINUTE)
  assert.is(await later.connect(), 'refused TIMEOUT')
})

Law('a session that is read late has the status after its deadline', async () => {
  const store = createMemoryStore()
  const first = createTestNode({ store })
  const { id } = await first.open()
  const later = createTestNode({ store })
  later.clock.advance(5 * MINUTE)
  assert.is((await later.sessions.read(id))?.status, 'TIMEOUT')
  assert.is((await later.sessions.findByRequestorToken('requestor-s'))?.status, 'TIMEOUT')
})

Law('retention counts from the deadline, not from the time at which a node notices it', async () => {
  const store = createMemoryStore()
  const { id, deadlineAt } = await createTestNode({ store }).open()
  const later = createTestNode({ store })
  later.clock.advance(7 * MINUTE)
  assert.is((await later.sessions.read(id))?.deadlineAt, deadlineAt + 5 * MINUTE)
})

Law('found after its retention, a session times out, is forgotten, and owes its callback', async () => {
  const store = createMemoryStore()
  const { id } = await createTestNode({ store }).open()
  const later = createTestNode({ store })
  const changes = later.follow('s')
  later.clock.advance(100 * MINUTE)
  assert.is(await later.sessions.read(id), null)
  assert.equal(changes, ['INITIALIZED>TIMEOUT'])
  const owed = (await store.deliveries.list()).map(({ state, cause }) => [state, cause])
  assert.equal(owed, [['waiting', 'TIMEOUT']])
})

Law(
  'sessions without a timer are found by the index: one round closes more sessions than fit in memory',
  async () => {
    const n = createTestNode({ limits: { maxLive: 2 } })
    const names = Array.from({ length: 600 }, (_, i) => `s${i}`)
    for (const name of names) await n.open(name)
    await elapse(n.clock, 5 * MINUTE + 5_000)
    const statuses = await Promise.all(names.map(async name => (await n.row(name))?.status))
    assert.equal(new Set(statuses), new Set(['TIMEOUT']))
    assert.is((await n.store.deliveries.list()).length, names.length)
  },
)

Law('overdue sessions of a node that has ended are closed when the next node starts', async () => {
  const store = createMemoryStore()
  const dead = createTestNode({ store })
  for (const name of ['s', 't']) await dead.open(name)
  await dead.sessions.close()
  dead.clock.advance(6 * MINUTE)
  const next = createTestNode({ store, clock: dead.clock, bootId: 'boot B' })
  await settle()
  assert.equal([(await next.row('s'))?.status, (await next.row('t'))?.status], ['TIMEOUT', 'TIMEOUT'])
})

Law('a failed round of the index is reported, and the next round follows', async () => {
  const inner = createMemoryStore()
  let isBroken = false
  const due: SessionStore['due'] = (...range) =>
    isBroken ? Promise.reject(new Error('no index')) : inner.sessions.due(...range)
  const sessions = withSessions(inner, { due })
  const n = createTestNode({ store: withChanges(inner, { sessions }), limits: { maxLive: 1 } })
  for (const name of ['s', 't']) await n.open(name)
  isBroken = true
  await elapse(n.clock, 5 * MINUTE + 5_000)
  assert.is((await n.row('s'))?.status, 'INITIALIZED')
  assert.ok(n.reports.includes(': no index'))
  isBroken = false
  await elapse(n.clock, 5_000)
  assert.is((await n.row('s'))?.status, 'TIMEOUT')
})

Law('the timer of a deadline that another node has moved changes nothing', async () => {
  const store = createMemoryStore()
  const a = createTestNode({ store })
  await a.open()
  const b = createTestNode({ store, clock: a.clock, bootId: 'boot B' })
  await elapse(a.clock, 5 * MINUTE - 1)
  await b.connect()
  await elapse(a.clock, 2 * MINUTE)
  assert.is((await a.row())?.status, 'CONNECTED')
  assert.equal([a.reports, b.reports], [[], []])
})

Law(
  'the deadline passes while the claim is being committed: the app, which submitted in time, gets an answer',
  async () => {
    const store = faultyStore(createMemoryStore())
    const n = await connectedNode({ store })
    const changes = n.follow('s')
    await elapse(n.clock, 5 * MINUTE - 1)
    const commit = deferred()
    store.hold = commit.promise
    const answer = n.submit()
    await settle()
    await elapse(n.clock, 10)
    commit.resolve()
    assert.is(await answer, '{"proofStatus":"VALID"}')
    assert.equal(changes, ['CONNECTED>DONE'])
  },
)

Law('the deadline passes while the submission is checked: DONE (spec/decisions#d3)', async () => {
  const check = deferred()
  const n = await connectedNode({ check: () => check.promise.then(() => VALID) })
  await elapse(n.clock, 5 * MINUTE - 1_000)
  const answer = n.submit()
  await elapse(n.clock, 5_000)
  check.resolve()
  assert.is(await answer, '{"proofStatus":"VALID"}')
})

Law('a deadline in 30 days: no timer is longer than the maximum of Node', async () => {
  const n = createTestNode()
  const waits: number[] = []
  const { setTimeout: start } = n.clock
  const counting = {
    ...n.clock,
    setTimeout(callback: () => void, ms: number) {
      waits.push(ms)
      return start(callback, ms)
    },
  }
  const long = createTestNode({ clock: counting })
  await long.open('s', { timeoutMs: 30 * DAY })
  n.clock.advance(LONGEST)
  await elapse(n.clock, 0)
  assert.is((await long.row())?.status, 'INITIALIZED')
  n.clock.advance(30 * DAY - LONGEST)
  await elapse(n.clock, 0)
  assert.is((await long.row())?.status, 'TIMEOUT')
  assert.ok(waits.every(ms => ms <= LONGEST))
})

Law('a session that is evicted, woken and evicted again keeps its deadline', async () => {
  const n = createTestNode({ limits: { maxLive: 1 } })
  const { deadlineAt } = await n.open('s')
  await n.open('t')
  await elapse(n.clock, 4 * MINUTE)
  await n.turn({ type: 'frontend.chose', method: 'pin' }, 's')
  await n.turn({ type: 'frontend.chose', method: 'pin' }, 't')
  assert.is((await n.row('s'))?.deadlineAt, deadlineAt)
  await elapse(n.clock, MINUTE + 5_000)
  assert.is((await n.row('s'))?.status, 'TIMEOUT')
})

Law.run()
