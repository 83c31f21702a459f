/** Keys of a Redis server: their lifetime, when a node reads them again, and the handling of damaged text. @module */
import * as assert from 'uvu/assert'
import { keptMs } from '../../../stores/redis/keys.ts'
import type { SessionServerStore } from '../../../stores/store.ts'
import { isMissing } from '../../project.ts'
import { ENGINES, type EngineName, emptyRedis, type RedisServer } from '../../redis.ts'
import { suite } from '../../suite.ts'
import { commitSession } from '../commits.ts'
import { failureOf, until } from '../other-connection.ts'
import { issuanceRecord } from '../revocation-suite.ts'
import { owedRow, sessionRow } from '../rows.ts'
import { openRedis } from './open.ts'

const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR

type StoreAndServer = { readonly store: SessionServerStore; readonly server: RedisServer }

async function keysWith(server: RedisServer, start: string): Promise<readonly string[]> {
  return (await server.ask('KEYS', `${start}*`)) as string[]
}

const TESTS: Readonly<Record<string, (given: StoreAndServer) => Promise<void>>> = {
  async 'the key of a requestor token expires with its session, also if the deadline is extended'({
    store,
    server,
  }) {
    const [early, late] = [Date.now() + HOUR, Date.now() + 9 * HOUR]
    for (const [version, deadlineAt] of [
      [0, early],
      [1, late],
    ] as const) {
      const row = sessionRow('s', { version: version + 1, deadlineAt })
      assert.ok(await commitSession(store, 'id-s', version, row))
      for (const key of ['svc:session:id-s', ...(await keysWith(server, 'svc:token:'))]) {
        const behindMs = Date.now() + Number(await server.ask('PTTL', key)) - deadlineAt
        assert.ok(Math.abs(behindMs - WEEK) < HOUR, `${key}: ${behindMs} ms behind the deadline`)
      }
    }
    assert.is((await keysWith(server, 'svc:token:')).length, 1)
  },

  async 'at most a thousand answers are dropped at once, the oldest first'({ store, server }) {
    const add = `for at = 1, 1001 do redis.call('zadd', KEYS[1], at, 'id-' .. at) end`
    await server.ask('EVAL', add, '1', 'svc:answers')
    await store.sessions.dropAnswers(9_000)
    assert.equal(await server.ask('ZRANGE', 'svc:answers', '0', '-1'), ['id-1001'])
    await store.sessions.dropAnswers(9_000)
    assert.is(await server.ask('ZCARD', 'svc:answers'), 0)
  },

  async 'the fixed columns of a row that this node has committed are not read again'({ store, server }) {
    const inserts = { sessions: [sessionRow('next')] }
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), inserts))
    for (const name of ['s', 'next']) {
      await server.ask('HDEL', `svc:session:id-${name}`, 'request')
      assert.equal(await store.sessions.load(`id-${name}`), sessionRow(name))
    }
  },

  async 'the fixed columns of a row are read again after the server has lost its data'({ store, server }) {
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
    const known: unknown[] = []
    store.subscribe(
      () => {},
      () => known.push(store.sessions.recent?.('id-s') ?? null),
    )
    await server.ask('FLUSHALL')
    await failureOf(commitSession(store, 'id-t', 0, sessionRow('t'))) // the node notices by this failure
    await until(() => known.length > 0)
    assert.equal(known, [null], 'the cache is empty when subscribers are told to reload')
    const other = await openRedis(server, { bootId: 'boot B' })
    const young = sessionRow('s', { nonce: 'Ag==' })
    assert.ok(await commitSession(other, 'id-s', 0, young))
    assert.equal(await store.sessions.load('id-s'), young)
    await other.close()
  },

  async 'no key of an issuance record outlives it, and none contains its revocation key'({ store, server }) {
    const before = new Set(await keysWith(server, ''))
    const record = issuanceRecord({ validUntilNs: 1n, revocationKey: 'personal' })
    assert.ok(await store.revocation.addRecord(record))
    for (const key of await keysWith(server, '')) assert.not.match(key, 'personal')
    const add = `for at = 2, 1001 do redis.call('zadd', KEYS[1], 0, at) end`
    await server.ask('EVAL', add, '1', 'svc:records')
    await store.revocation.dropRecords(9)
    assert.equal(new Set(await keysWith(server, '')), before.add('svc:record-number'))
  },

  async 'a node gets no notifications of another database of its server'({ server }) {
    const opened = [0, 1].map(database =>
      openRedis({ address: server.address.replace('?', `/${database}?`) }, { bootId: `boot ${database}` }),
    )
    const [zero, one] = await Promise.all(opened)
    const heard: string[] = []
    one?.subscribe((_id, change) => change && heard.push(change.id))
    for (const [store, id] of [
      [zero, 'id-s'],
      [one, 'id-t'],
    ] as const) {
      const change = { id, version: 1, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' } as const
      assert.ok(store && (await commitSession(store, id, 0, sessionRow(id.slice(3)), { change })))
    }
    assert.equal([heard, await one?.sessions.count()], [['id-t'], 1])
    await Promise.all([zero?.close(), one?.close()])
  },

  async 'lists leave out rows that the server no longer has'({ store, server }) {
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed: [owedRow('d')] }))
    await server.ask('DEL', 'svc:session:id-s', 'svc:delivery:d')
    const { sessions, deliveries } = store
    assert.equal(
      [await sessions.newest(9), await deliveries.list(), await deliveries.newest(9)],
      [[], [], []],
    )
  },

  async 'a damaged text is an error that does not quote the text'({ store, server }) {
    const owed = [owedRow('d')]
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed }))
    await server.ask('HSET', 'svc:session:id-s', 'fixed', 'hunter2pw')
    await server.ask('HSET', 'svc:delivery:d', 'row', 'hunter2pw')
    const other = await openRedis(server, { bootId: 'boot B' }) // has not cached the session
    for (const work of [() => other.sessions.load('id-s'), () => store.deliveries.load('d')]) {
      const { message, stack, cause } = await failureOf(work())
      assert.match(message, /expected a text that this program wrote, got one that was damaged/)
      assert.not.match(`${stack} ${cause}`, 'hunter2pw')
    }
    await other.close()
  },
}

for (const engine of ['Redis', 'Valkey'] as const) {
  const Rows = suite(`keys of a ${engine} server`)
  const test = isMissing(engine, ENGINES[engine] !== null) ? Rows.skip : Rows
  for (const [title, body] of Object.entries(TESTS)) test(title, () => withStore(engine, body))
  Rows.run()
}

const Stay = suite('the expiry of keys of a Redis server')

Stay('a key expires a week after its row is due, or a week from now if that has passed', () => {
  assert.equal([keptMs(5_000, 1_000), keptMs(1_000, 5_000)], [String(4_000 + WEEK), String(WEEK)])
  assert.is(keptMs(5_000.5, 1_000), String(4_001 + WEEK))
})

Stay.run()

async function withStore(engine: EngineName, use: (given: StoreAndServer) => Promise<void>): Promise<void> {
  const server = await emptyRedis(engine)
  const store = await openRedis(server)
  try {
    await use({ store, server })
  } finally {
    await store.close()
  }
}
