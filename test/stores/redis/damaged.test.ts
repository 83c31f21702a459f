/** Rows in a Redis or Valkey server that another program has damaged: one row ends one session, and others are still read. @module */
import * as assert from 'uvu/assert'
import { isMissing } from '../../project.ts'
import { ENGINES, type EngineName, emptyRedis } from '../../redis.ts'
import { suite } from '../../suite.ts'
import { commitSession } from '../commits.ts'
import { CLAIM, fullRow, owedRow, sessionRow } from '../rows.ts'
import { openRedis } from './open.ts'

const DAMAGED = ['{"secret', '5', '[]', 'null', '']

const TESTS: Readonly<Record<string, (engine: EngineName) => Promise<void>>> = {
  async 'a damaged answer is read as null'(engine) {
    const server = await emptyRedis(engine)
    const [store, other] = [await openRedis(server), await openRedis(server, { bootId: 'boot B' })]
    await commitSession(store, 'id-s', 0, fullRow('s'))
    for (const text of DAMAGED) {
      await server.ask('HSET', 'svc:session:id-s', 'answer', text)
      const expected = { ...fullRow('s'), id: 'id-s', answered: null }
      for (const each of [store, other]) assert.equal(await each.sessions.load('id-s'), expected, text)
    }
    await Promise.all([store.close(), other.close()])
  },

  async 'an open session with a damaged row has no snapshot; a node without a cached row gives it the deadline 0'(
    engine,
  ) {
    const server = await emptyRedis(engine)
    const [store, other] = [await openRedis(server), await openRedis(server, { bootId: 'boot B' })]
    const row = sessionRow('s', { status: 'CONNECTED', claim: CLAIM, clientAuthorization: 'app' })
    await commitSession(store, 'id-s', 0, row)
    const lost = { ...row, id: 'id-s', chart: 1, snapshot: null, claim: null }
    for (const text of DAMAGED.slice(0, -1)) {
      await server.ask('HSET', 'svc:session:id-s', 'row', text)
      const [known, unknown] = await Promise.all([store, other].map(each => each.sessions.load('id-s')))
      assert.equal(known, lost, text)
      const nothing = { status: 'INITIALIZED', deadlineAt: 0, clientAuthorization: null }
      assert.equal(unknown, { ...lost, ...nothing }, text)
    }
    await Promise.all([store.close(), other.close()])
  },

  async 'an ended session with a damaged row keeps its status, and is due to be deleted'(engine) {
    const server = await emptyRedis(engine)
    const [store, other] = [await openRedis(server), await openRedis(server, { bootId: 'boot B' })]
    await commitSession(store, 'id-s', 0, { ...fullRow('s'), status: 'DONE' })
    await commitSession(store, 'id-t', 0, sessionRow('t', { status: 'TIMEOUT' }))
    for (const id of ['id-s', 'id-t']) await server.ask('HSET', `svc:session:${id}`, 'row', '{"secret')
    const [s, t] = [await store.sessions.load('id-s'), await store.sessions.load('id-t')]
    assert.equal([s?.status, s?.chart, s?.deadlineAt], ['DONE', null, fullRow('s').deadlineAt])
    assert.equal([t?.status, t?.chart, t?.deadlineAt], ['TIMEOUT', null, sessionRow('t').deadlineAt])
    const seen = await other.sessions.load('id-s')
    assert.equal([seen?.chart, seen?.deadlineAt], [null, 0])
    await Promise.all([store.close(), other.close()])
  },

  async 'lists leave out damaged rows, and show the others'(engine) {
    const server = await emptyRedis(engine)
    const store = await openRedis(server)
    for (const name of ['r', 's', 't'])
      await commitSession(store, `id-${name}`, 0, sessionRow(name), { owed: [owedRow(`d-${name}`)] })
    await server.ask('HSET', 'svc:session:id-r', 'row', '{"secret')
    await server.ask('HSET', 'svc:session:id-s', 'fixed', '{"secret')
    for (const name of ['r', 's']) await server.ask('HSET', `svc:delivery:d-${name}`, 'row', '{"secret')
    const lists = [
      await store.sessions.newest(9),
      await store.deliveries.newest(9),
      await store.deliveries.list(),
    ]
    assert.equal(
      lists.map(list => list.map(({ id }) => id)),
      [['id-t'], ['d-t'], ['d-t']],
    )
    await store.close()
  },
}

for (const engine of ['Redis', 'Valkey'] as const) {
  const Damaged = suite(`damaged rows: ${engine}`)
  const test = isMissing(engine, ENGINES[engine] !== null) ? Damaged.skip : Damaged
  for (const [title, play] of Object.entries(TESTS)) test(title, () => play(engine))
  Damaged.run()
}
