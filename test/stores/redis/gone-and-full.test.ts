/** A Redis or Valkey server that is full when a node reconnects, that is emptied while it runs, or that does not answer many callers. Nodes recover by themselves, and
 *  their memory does not grow. @module */
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { WriteOutcomes } from '../../../stores/outage.ts'
import { Keys } from '../../../stores/redis/keys.ts'
import { RedisNodes } from '../../../stores/redis/nodes.ts'
import { StoreError } from '../../../stores/store-error.ts'
import { settle } from '../../actors/node.ts'
import { pause } from '../../patience.ts'
import { isMissing } from '../../project.ts'
import { ENGINES, type EngineName, startRedis } from '../../redis.ts'
import { suite } from '../../suite.ts'
import { commitSession } from '../commits.ts'
import { until } from '../other-connection.ts'
import { sessionRow } from '../rows.ts'
import { openRedis } from './open.ts'

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('no failure'),
    (error: Error) => error,
  )
}

const TESTS: Readonly<Record<string, (engine: EngineName) => Promise<void>>> = {
  async 'a node whose lease has expired can reconnect to a full server and delete rows'(engine) {
    const server = await startRedis(engine)
    const store = await openRedis(server)
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
    await server.ask('CONFIG', 'SET', 'maxmemory', '1')
    await server.ask('DEL', 'svc:node:boot A', 'svc:origin')
    for (const type of ['normal', 'pubsub']) await server.ask('CLIENT', 'KILL', 'TYPE', type)
    await until(() => store.nodes.isAlive('boot A').catch(() => false))
    assert.ok(await commitSession(store, 'id-s', 1, null))
    assert.is(await store.sessions.count(), 0)
    await store.close()
    await server.kill()
  },

  async 'a killed server counts as gone until it is back; a connection that is restored at once does not'(
    engine,
  ) {
    const server = await startRedis(engine)
    const store = await openRedis(server)
    await server.ask('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await until(() => commitSession(store, 'id-s', 0, sessionRow('s')).catch(() => false))
    assert.not(store.outage.isGone)
    await server.kill()
    await until(async () => store.outage.isGone)
    await server.start()
    await until(async () => !store.outage.isGone)
    assert.not(store.outage.refusesWrites, 'no answer is no refusal')
    await store.close()
    await server.kill()
  },

  async 'a server that is emptied during operation is logged as such, and subscribers are told to reload'(
    engine,
  ) {
    const server = await startRedis(engine)
    const lines: string[] = []
    const tell = { failing: (line: string) => lines.push(line), working() {} }
    const store = await openRedis(server, { tell })
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
    let missed = 0
    store.subscribe(
      () => {},
      () => {
        missed += 1
      },
    )
    await server.ask('FLUSHALL')
    assert.instance(await failureOf(commitSession(store, 'id-t', 0, sessionRow('t'))), StoreError)
    await until(async () => missed === 1)
    assert.match(lines.join(), /expected the stored data, got a server that has lost it/)
    assert.ok(await commitSession(store, 'id-t', 0, sessionRow('t')))
    assert.is(await store.sessions.load('id-s'), null)
    await server.ask('DEL', 'svc:node:boot A') // as after a pause: nothing is lost
    assert.instance(await failureOf(commitSession(store, 'id-t', 1, null)), StoreError)
    await until(() => store.nodes.isAlive('boot A'))
    assert.ok(await commitSession(store, 'id-t', 1, null))
    assert.is(missed, 1)
    await store.close()
    await server.kill()
  },

  async 'a node that was paused itself uses the answer that arrived during the pause'(engine) {
    const server = await startRedis(engine)
    const clock = createSimulatedClock(1_000)
    const store = await openRedis(server, { clock })
    server.signal('SIGSTOP')
    const asked = store.sessions.load('id-s')
    await pause(100) // the call is in transit
    server.signal('SIGCONT')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    clock.advance(3_100)
    assert.is(await asked, null)
    await store.close()
    await server.kill()
  },

  async 'while the server does not answer, 10,000 calls wait, and every other one fails at once'(engine) {
    const server = await startRedis(engine)
    const store = await openRedis(server)
    server.signal('SIGSTOP')
    const waiting = Array.from({ length: 10_000 }, () => failureOf(store.sessions.load('id-s')))
    const { message } = await failureOf(store.sessions.load('id-s'))
    assert.match(message, /expected at most 10000 calls at once, got more/)
    assert.ok((await Promise.all(waiting)).every(failure => failure instanceof StoreError))
    server.signal('SIGCONT')
    await until(async () => (await failureOf(store.sessions.load('id-s'))).message === 'no failure')
    await store.close()
    await server.kill()
  },
}

for (const engine of ['Redis', 'Valkey'] as const) {
  const Servers = suite(`a ${engine} server that is full, emptied or silent`)
  const test = isMissing(engine, ENGINES[engine] !== null) ? Servers.skip : Servers
  for (const [title, body] of Object.entries(TESTS)) test(title, () => body(engine))
  Servers.run()
}

const Leases = suite('the lease of a node in a Redis server')

Leases('ten concurrent requests for a renewal leave one timer', async () => {
  const clock = createSimulatedClock(1_000)
  let asked = 0
  const connection = {
    async ask() {
      asked += 1
      return [1, 0, 1]
    },
  }
  const nodes = new RedisNodes({
    connection,
    clock,
    name: 'redis',
    bootId: 'boot A',
    keys: new Keys('', 0),
    regained: async () => assert.unreachable(),
    warn: assert.unreachable,
    writes: new WriteOutcomes(),
  })
  await nodes.renew(connection)
  await nodes.open()
  await Promise.all(Array.from({ length: 10 }, () => nodes.renewAgain()))
  assert.is(asked, 11)
  for (const expected of [12, 13, 14]) {
    clock.advance(3_000)
    await settle()
    assert.is(asked, expected)
  }
})

Leases.run()
