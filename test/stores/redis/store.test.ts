/** A node with Redis after a commit: the moment at which the commit returns, and the loss of the lease. @module */
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { WriteOutcomes } from '../../../stores/outage.ts'
import { Changes } from '../../../stores/redis/changes.ts'
import { Keys } from '../../../stores/redis/keys.ts'
import { RedisNodes } from '../../../stores/redis/nodes.ts'
import { RedisPart } from '../../../stores/redis/part.ts'
import { Replicas } from '../../../stores/redis/replicas.ts'
import { RedisStore } from '../../../stores/redis/store.ts'
import { StoreError } from '../../../stores/store-error.ts'
import { settle } from '../../actors/node.ts'
import { suite } from '../../suite.ts'
import { commitSession } from '../commits.ts'
import { failureOf } from '../other-connection.ts'
import { owedRow, sessionRow } from '../rows.ts'

const COMMITTED = 1
const FENCED = 3

/** A node whose server answers every commit with `outcome`, and publishes the commit before it answers. */
function nodeOf(outcome: number) {
  const clock = createSimulatedClock(1_000)
  const keys = new Keys('', 0)
  const state = { renewals: 0 }
  const connection = {
    async ask(command: readonly string[]): Promise<unknown> {
      if (command[0] === 'EVAL') {
        state.renewals += 1
        return [1, 0, 1]
      }
      const published = command.indexOf('publish')
      if (published >= 0) changes.notifyMessage(command[published + 2] ?? '')
      return outcome
    },
  }
  const name = 'redis'
  const replicas = new Replicas({ connection, name, wanted: 0, touch: [], failed() {} })
  const channel = keys.channel
  const changes = new Changes({ bootId: 'boot A', channel, replicas, isConnected: () => true })
  const writes = new WriteOutcomes()
  const regained = async (): Promise<void> => assert.unreachable()
  const nodes = new RedisNodes({
    connection,
    name,
    keys,
    clock,
    regained,
    writes,
    bootId: 'boot A',
    warn() {},
  })
  const part = new RedisPart({ keys, connection, replicas, clock })
  const store = new RedisStore({
    name,
    connection,
    part,
    nodes,
    writes,
    replicas,
    changes,
    close: async () => {},
  })
  return { state, store }
}

const Store = suite('commits of a node of a Redis server')

Store('a commit returns after its own node was notified, with the owed deliveries', async () => {
  const { store } = nodeOf(COMMITTED)
  const told: string[] = []
  store.subscribe((_id, change, owed) => told.push(`${change?.version} ${owed?.map(({ id }) => id)}`))
  const change = { id: 'id-s', version: 2, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' } as const
  const inserts = { change, owed: [owedRow('d')] }
  assert.ok(await commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 }), inserts))
  assert.equal(told, ['2 d'])
  await settle()
  assert.equal(told, ['2 d'])
})

Store('a node whose commit fails because of its lease renews the lease at once', async () => {
  const { state, store } = nodeOf(FENCED)
  assert.instance(await failureOf(commitSession(store, 'id-s', 0, sessionRow('s'))), StoreError)
  await settle()
  assert.is(state.renewals, 1)
})

Store.run()
