/** The order and time at which a node of a Redis server notifies its subscribers of commits. @module */
import * as assert from 'uvu/assert'
import { Changes } from '../../../stores/redis/changes.ts'
import type { StatusChange } from '../../../stores/session-store.ts'
import { StoreError } from '../../../stores/store-error.ts'
import { settle } from '../../actors/node.ts'
import { suite } from '../../suite.ts'
import { owedRow } from '../rows.ts'

const OWED = [owedRow('d')]

function changeTo(version: number): StatusChange {
  return { id: 'id-s', version, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' }
}

/** The node `boot A`, with an open connection and replicas that have all data. */
function setUp() {
  const state = { isConnected: true, waits: 0, haveOthers: async (): Promise<void> => {} }
  const told: string[] = []
  const changes = new Changes({
    bootId: 'boot A',
    channel: 'changes',
    isConnected: () => state.isConnected,
    replicas: {
      haveOthers() {
        state.waits += 1
        return state.haveOthers()
      },
    },
  })
  changes.subscribe(
    (_id, change, owed) => told.push(`${change?.version} ${owed ? 'owes' : '-'}`),
    () => told.push('missed'),
  )
  const other = (version: number): void =>
    changes.notifyMessage(JSON.stringify({ bootId: 'boot B', change: changeTo(version) }))
  /** the message that the server publishes for a commit of this node */
  const own = (version: number): void =>
    changes.notifyMessage(changes.publishing(changeTo(version), OWED)[2] ?? '')
  return { state, told, changes, other, own }
}

/** Lets all promises continue, within one turn of the event loop. */
async function promisesGoOn(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

const Told = suite('notifications between the nodes of a Redis server')

Told('messages of other nodes are delivered in the next turn of the event loop, after one wait', async () => {
  const { state, told, other } = setUp()
  for (const version of [2, 3, 4]) other(version)
  await promisesGoOn()
  assert.equal([told, state.waits], [[], 0])
  await settle()
  assert.equal([told, state.waits], [['2 -', '3 -', '4 -'], 1])
})

Told('a commit of this node is delivered when it ends, after all earlier messages', async () => {
  const { told, changes, other, own } = setUp()
  other(2)
  own(3)
  other(4)
  changes.over(changeTo(3), true)
  assert.equal(told, ['2 -', '3 owes'])
  await settle()
  assert.equal(told, ['2 -', '3 owes', '4 -'])
})

Told('a commit of this node with an unknown outcome is delivered like one of another node', async () => {
  const { told, changes, own } = setUp()
  own(2)
  changes.over(changeTo(2), false)
  assert.equal(told, [])
  await settle()
  assert.equal(told, ['2 -'])
})

Told('messages of a connection that was lost before the replicas had them are not delivered', async () => {
  const { state, told, other } = setUp()
  other(2)
  state.isConnected = false
  await settle()
  state.isConnected = true
  other(3)
  await settle()
  assert.equal(told, ['3 -'])
})

Told('while replicas are missing, messages wait; they are delivered when the replicas are back', async () => {
  const { state, told, other } = setUp()
  let failures = 3
  state.haveOthers = async () => {
    if (failures-- > 0) throw new StoreError('replicas are missing')
    assert.equal(told, [])
  }
  other(2)
  await settle()
  assert.equal([told, state.waits], [['2 -'], 4])
})

Told('a commit of another node is delivered without the deliveries that this node owes', async () => {
  const { told, changes, other } = setUp()
  changes.publishing(changeTo(2), OWED) // in transit, and will be too late
  other(2)
  await settle()
  changes.over(changeTo(2), false)
  assert.equal(told, ['2 -'])
})

Told('a commit of this node and an earlier one with the same version are both delivered', async () => {
  const { told, changes, other, own } = setUp()
  other(2) // from a server that has lost its data in the meantime
  own(2)
  changes.over(changeTo(2), true)
  assert.equal(told, ['2 -', '2 owes'])
})

Told('a function that subscribes twice is called twice, and once after one unsubscription', async () => {
  const { changes, other } = setUp()
  let heard = 0
  const listener = (): void => {
    heard += 1
  }
  const [stop] = [changes.subscribe(listener), changes.subscribe(listener)]
  other(2)
  await settle()
  assert.is(heard, 2)
  stop()
  other(3)
  await settle()
  assert.is(heard, 3)
})

for (const text of ['no JSON', '{}', '{"bootId":"boot B","change":null}'])
  Told(`a message of an unknown form tells subscribers to reload: ${text}`, async () => {
    const { told, changes, other } = setUp()
    changes.notifyMessage(text)
    other(2)
    await settle()
    assert.equal(told, ['missed', '2 -'])
  })

Told.run()
