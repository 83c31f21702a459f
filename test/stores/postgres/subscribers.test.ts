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

const Told = suite('what a node of a PostgreSQL database tells its subscribers')

Told('a commit is over once its notification has come, is told then, and no timer stays', async () => {
  const { clock, subscribers, told, commit } = setUp()
  const { state, over } = commit(2)
  await settle()
  assert.equal([told, state.isOver], [[], false])
  subscribers.notifyCommitted(changeTo(2))
  await over
  assert.equal([told, clock.nextTimerAt()], [['2 owes'], null])
})

Told('a notification that came before the answer to the commit is told once', async () => {
  const { clock, subscribers, told } = setUp()
  const own = subscribers.expect(changeTo(2), OWED)
  subscribers.notifyCommitted(changeTo(2))
  await subscribers.committed(own, true)
  assert.equal([told, clock.nextTimerAt()], [['2 owes'], null])
})

Told(
  'a notification that does not come in 0.5 s is not waited for, and is not told again later',
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

Told('while nobody listens, a commit is told at once', async () => {
  const { clock, told, commit } = setUp()
  await commit(2, false).over
  assert.equal([told, clock.nextTimerAt()], [['2 owes'], null])
})

Told('what a commit owes is told with its own change alone', async () => {
  const { subscribers, told } = setUp()
  subscribers.expect(changeTo(2), OWED)
  subscribers.notifyCommitted(changeTo(3))
  subscribers.notifyCommitted({ ...changeTo(2), id: 'id-t' })
  assert.equal(told, ['3 -', '2 -'])
})

Told('a commit that has ended owes nothing to a notification of later', async () => {
  const { subscribers, told } = setUp()
  const own = subscribers.expect(changeTo(2), OWED)
  subscribers.forget(own) // for example because its outcome is unknown
  subscribers.notifyCommitted(changeTo(2))
  assert.equal(told, ['2 -'])
})

Told('a change that was told before its notification was lost is told again when it comes anew', async () => {
  const { subscribers, told, commit } = setUp()
  await commit(2, false).over
  subscribers.missed()
  subscribers.notifyCommitted(changeTo(2)) // from another server, which assigns its versions to other commits
  assert.equal(told, ['2 owes', 'missed', '2 -'])
})

Told(
  'the changes that were told too early are bounded: past that, whoever follows rows reads them again',
  async () => {
    const { told, commit } = setUp()
    for (let version = 1; version <= 10_000; version++) await commit(version, false).over
    assert.not.ok(told.includes('missed'))
    await commit(10_001, false).over
    assert.equal(told.slice(-2), ['missed', '10001 owes'])
  },
)

Told('whoever has unsubscribed hears of nothing', async () => {
  const { subscribers, told, stop } = setUp()
  stop()
  subscribers.notifyCommitted(changeTo(2))
  subscribers.missed()
  assert.equal(told, [])
})

Told.run()
