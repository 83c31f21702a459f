/** When and how often a node of a PostgreSQL database notifies its subscribers of a change of status. @module */
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { Subscribers } from '../../../stores/postgres/subscribers.ts'
import type { StatusChange } from '../../../stores/session-store.ts'
import { settle } from '../../actors/node.ts'
import { suite } from '../../suite.ts'
import { owedRow } from '../rows.ts'

const OWED = [owedRow('d')]

function changeTo(version: number): StatusChange {
  return { id: 'id-s', version, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' }
}

function setUp() {
  const clock = createSimulatedClock(1_000)
  const subscribers = new Subscribers(clock)
  const told: string[] = []
  const stop = subscribers.add(
    (_id, change, owed) => told.push(`${change?.version} ${owed ? 'owes' : '-'}`),
    () => told.push('missed'),
  )
  /** a completed commit of this node */
  const commit = (version: number, isListening = true) => {
    const own = subscribers.expect(changeTo(version), OWED)
    const state = { isOver: false }
    const over = subscribers.committed(own, isListening).then(() => {
      state.isOver = true
      subscribers.forget(own)
    })
    return { state, over }
  }
  return { clock, subscribers, told, stop, commit }
}

const Told = suite('notifications of a PostgreSQL node to its subscribers')

Told('a commit ends and is published when its notification arrives, and no timer is left', async () => {
  const { clock, subscribers, told, commit } = setUp()
  const { state, over } = commit(2)
  await settle()
  assert.equal([told, state.isOver], [[], false])
  subscribers.notifyCommitted(changeTo(2))
  await over
  assert.equal([told, clock.nextTimerAt()], [['2 owes'], null])
})

Told('a change whose notification arrives before the answer to the commit is published once', async () => {
  const { clock, subscribers, told } = setUp()
  const own = subscribers.expect(changeTo(2), OWED)
  subscribers.notifyCommitted(changeTo(2))
  await subscribers.committed(own, true)
  assert.equal([told, clock.nextTimerAt()], [['2 owes'], null])
})

Told(
  'a commit waits 0.5 s for its notification; a later notification does not publish the change again',
  async () => {
    const { clock, subscribers, told, commit } = setUp()
    const { state, over } = commit(2)
    clock.advance(499)
    await settle()
    assert.equal([told, state.isOver], [[], false])
    clock.advance(1)
    await over
    subscribers.notifyCommitted(changeTo(2))
    assert.equal(told, ['2 owes'])
    subscribers.notifyCommitted(changeTo(3))
    assert.equal(told, ['2 owes', '3 -'])
  },
)

Told('without a connection that listens, a change is published at once', async () => {
  const { clock, told, commit } = setUp()
  await commit(2, false).over
  assert.equal([told, clock.nextTimerAt()], [['2 owes'], null])
})

Told('the callbacks that a commit owes are published with its own change only', async () => {
  const { subscribers, told } = setUp()
  subscribers.expect(changeTo(2), OWED)
  subscribers.notifyCommitted(changeTo(3))
  subscribers.notifyCommitted({ ...changeTo(2), id: 'id-t' })
  assert.equal(told, ['3 -', '2 -'])
})

Told('a notification after the end of its commit publishes no owed callbacks', async () => {
  const { subscribers, told } = setUp()
  const own = subscribers.expect(changeTo(2), OWED)
  subscribers.forget(own) // for example because its outcome is unknown
  subscribers.notifyCommitted(changeTo(2))
  assert.equal(told, ['2 -'])
})

Told('after lost notifications, a change with the id and version of an old one is published', async () => {
  const { subscribers, told, commit } = setUp()
  await commit(2, false).over
  subscribers.missed()
  subscribers.notifyCommitted(changeTo(2)) // from another database server, where this version is another commit
  assert.equal(told, ['2 owes', 'missed', '2 -'])
})

Told(
  'at most 10,000 changes that were published early are remembered; beyond that, subscribers reload',
  async () => {
    const { told, commit } = setUp()
    for (let version = 1; version <= 10_000; version++) await commit(version, false).over
    assert.not.ok(told.includes('missed'))
    await commit(10_001, false).over
    assert.equal(told.slice(-2), ['missed', '10001 owes'])
  },
)

Told('a listener that has unsubscribed is not called', async () => {
  const { subscribers, told, stop } = setUp()
  stop()
  subscribers.notifyCommitted(changeTo(2))
  subscribers.missed()
  assert.equal(told, [])
})

Told.run()
