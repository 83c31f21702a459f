/** A session from its creation until it is forgotten (spec/interface#3), through the interface for the other folders. @module */
import * as assert from 'uvu/assert'
import { type SessionChart, sessionChart } from '../../machines/session.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { faultyStore } from '../faults/faulty-store.ts'
import { sharedBy } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { createTestNode, deferred, elapse, MINUTE, settle, type TestNode } from './node.ts'

const Life = suite('the life of a session')

Life('a session runs from INITIALIZED over DONE to forgotten, and its callback is owed once', async () => {
  const n = createTestNode()
  const { version, status } = await n.open()
  assert.equal([version, status], [1, 'INITIALIZED'])
  const changes = n.follow('s')
  assert.is(await n.connect(), 'CONNECTED')
  assert.is(await n.submit(), '{"proofStatus":"VALID"}')
  assert.equal(changes, ['INITIALIZED>CONNECTED', 'CONNECTED>DONE'])
  assert.is((await n.row())?.result?.text, '{"proofStatus":"VALID"}')
  assert.equal(
    (await n.store.deliveries.list()).map(({ state, cause }) => `${state} ${cause}`),
    ['waiting DONE'],
  )
  await elapse(n.clock, 5 * MINUTE)
  assert.is(await n.row(), null)
  assert.is(await n.store.sessions.count(), 0)
  assert.is(await n.turn({ type: 'cancelled' }), 'refused unknown')
  assert.equal(n.reports, [])
})

Life('a question to the chart during the commit of a step spawns no second actor', async () => {
  let spawned = 0
  const start: SessionChart['start'] = snapshot => {
    spawned += 1
    sessionChart.start(snapshot)
  }
  const chart: SessionChart = Object.assign(Object.create(sessionChart), { start })
  const store = faultyStore(createMemoryStore())
  const n = createTestNode({ chart, store })
  const row = await n.open()
  const held = deferred()
  store.hold = held.promise
  const connecting = n.connect()
  await settle()
  assert.is(spawned, 1)
  assert.equal([n.sessions.can(row, { type: 'app.connected', protocolVersion: '2.8' }), spawned], [true, 1])
  held.resolve()
  assert.is(await connecting, 'CONNECTED')
})

const ENDS: Readonly<Record<string, (n: TestNode) => Promise<unknown>>> = {
  DONE: n => n.connect().then(() => n.submit()),
  CANCELLED: n => n.turn({ type: 'cancelled' }),
  TIMEOUT: n => elapse(n.clock, 5 * MINUTE),
}
for (const [status, end] of Object.entries(ENDS))
  Life(`after ${status} no other status is published, up to the end of the session`, async () => {
    const n = createTestNode()
    await n.open()
    await end(n)
    const changes = n.follow('s')
    await elapse(n.clock, 5 * MINUTE)
    assert.equal([await n.row(), changes, n.reports], [null, [], []])
  })

Life('a session without a claim is not treated as the work of a dead node', async () => {
  const n = createTestNode({ store: sharedBy(createMemoryStore(), bootId => bootId === 'boot A') })
  await n.open()
  assert.equal([await n.connect(), await n.submit()], ['CONNECTED', '{"proofStatus":"VALID"}'])
})

Life.run()
