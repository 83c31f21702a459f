import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import type { StatusChange } from '../../../stores/session-store.ts'
import type { SessionServerStore } from '../../../stores/store.ts'
import { StoreError } from '../../../stores/store-error.ts'
import { isMissing } from '../../project.ts'
import { ENGINES, type EngineName, emptyRedis, type RedisServer } from '../../redis.ts'
import { suite } from '../../suite.ts'
import { commitDelivery, commitSession } from '../commits.ts'
import { failureOf, until } from '../other-connection.ts'
import { CLAIM, fullRow, owedRow, sessionRow } from '../rows.ts'
import { openRedis } from './open.ts'

type Nodes = {
  readonly a: SessionServerStore
  readonly b: SessionServerStore
  readonly server: RedisServer
}

async function withNodes(engine: EngineName, use: (nodes: Nodes) => Promise<void>): Promise<void> {
  const server = await emptyRedis(engine)
  const a = await openRedis(server, { bootId: 'boot A' })
  const b = await openRedis(server, { bootId: 'boot B' })
  try {
    await use({ a, b, server })
  } finally {
    await a.close()
    await b.close()
  }
}

function changeTo(version: number): StatusChange {
  return { id: 'id-s', version, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' }
}

/** Commits the next version of the session `s`, with a change of its status. */
function move(store: SessionServerStore, version: number): Promise<boolean> {
  const row = sessionRow('s', { version: version + 1 })
  return commitSession(store, 'id-s', version, row, { change: changeTo(version + 1) })
}

const TESTS: Readonly<Record<string, (nodes: Nodes) => Promise<void>>> = {
  async 'of 40 concurrent commits on one version, on both nodes, one succeeds'({ a, b }) {
    assert.ok(await commitSession(a, 'id-s', 0, sessionRow('s')))
    for (let version = 1; version <= 10; version++) {
      const commits = Array.from({ length: 40 }, (_, i) => {
        const row = sessionRow('s', { version: version + 1, pairingCode: String(i) })
        return commitSession(i % 2 === 0 ? a : b, 'id-s', version, row)
      })
      const won = await Promise.all(commits)
      assert.is(won.filter(isCommitted => isCommitted).length, 1)
      for (const store of [a, b])
        assert.is((await store.sessions.load('id-s'))?.pairingCode, String(won.indexOf(true)))
    }
  },

  async 'a session that both nodes create at once is created once'({ a, b }) {
    const rows = [sessionRow('s'), sessionRow('s', { nonce: 'Ag==' })] as const
    const won = await Promise.all([
      commitSession(a, 'id-s', 0, rows[0]),
      commitSession(b, 'id-s', 0, rows[1]),
    ])
    assert.equal([...won].sort(), [false, true])
    assert.equal(await a.sessions.load('id-s'), rows[won[0] ? 0 : 1])
  },

  async 'a node is notified of each status change of another node, once and in order, and of nothing else'({
    a,
    b,
  }) {
    const [own, heard]: [string[], string[]] = [[], []]
    a.subscribe((id, change) => own.push(`${id} ${change?.version ?? '-'}`))
    b.subscribe((id, change, owed) => heard.push(`${id} ${change?.version ?? '-'} ${owed ?? 'nothing'}`))
    assert.ok(await commitSession(a, 'id-s', 0, sessionRow('s'), { owed: [owedRow('d')] }))
    for (let version = 1; version <= 20; version++) assert.ok(await move(a, version))
    await until(() => heard.length >= 20)
    const versions = Array.from({ length: 20 }, (_, i) => i + 2)
    assert.equal(
      heard,
      versions.map(version => `id-s ${version} nothing`),
    )
    assert.equal(own, ['id-s -', ...versions.map(version => `id-s ${version}`)])
  },

  async 'alternating commits of one session on two nodes are notified in their order on both'({ a, b }) {
    const heard: [number[], number[]] = [[], []]
    a.subscribe((_id, change) => heard[0].push(change?.version ?? 1))
    b.subscribe((_id, change) => heard[1].push(change?.version ?? 1))
    assert.ok(await commitSession(a, 'id-s', 0, sessionRow('s')))
    for (let version = 1; version <= 40; version++) assert.ok(await move(version % 2 === 0 ? a : b, version))
    const versions = Array.from({ length: 40 }, (_, i) => i + 2)
    await until(() => heard.every(each => each.includes(41)))
    assert.equal(heard, [[1, ...versions], versions])
  },

  async 'a node is alive until it is closed, and its lease has at most 15 s'({ a, b, server }) {
    assert.equal([await b.nodes.isAlive('boot A'), await b.nodes.isAlive('boot C')], [true, false])
    const c = await openRedis(server, { bootId: 'boot C' })
    assert.is(await b.nodes.isAlive('boot C'), true)
    await c.close()
    assert.is(await b.nodes.isAlive('boot C'), false)
    const left = Number(await server.ask('PTTL', 'svc:node:boot A'))
    assert.ok(left > 5_000 && left <= 15_000, `${left}`)
    assert.is(a.nodes.isShared, true)
  },

  async 'a node with an expired lease commits nothing before it has renewed the lease'({ a, b, server }) {
    assert.ok(await commitSession(a, 'id-s', 0, sessionRow('s')))
    await server.ask('DEL', 'svc:node:boot A') // as its expiry would
    const failure = await failureOf(move(a, 1))
    assert.instance(failure, StoreError)
    assert.match(failure.message, /expected a lease that this node renewed in time, got one that has expired/)
    assert.is((await b.sessions.load('id-s'))?.version, 1)
    await until(() => b.nodes.isAlive('boot A'))
    assert.ok(await move(a, 1))
  },

  async 'a node renews its lease regularly, and measures the clock of the server'({ server }) {
    const clock = createSimulatedClock(1_000)
    const store = await openRedis(server, { bootId: 'boot C', clock })
    const aheadMs = store.nodes.aheadMs()
    assert.ok(Math.abs(aheadMs + 1_000 - Date.now()) < 60_000, `${aheadMs}`)
    await server.ask('DEL', 'svc:node:boot C')
    clock.advance(3_000)
    await until(() => store.nodes.isAlive('boot C'))
    await store.close()
  },

  async 'a lost connection is restored, and subscribers are told to reload'({ a, b, server }) {
    let missed = 0
    const heard: number[] = []
    b.subscribe(
      (_id, change) => heard.push(change?.version ?? 1),
      () => {
        missed += 1
      },
    )
    assert.ok(await commitSession(a, 'id-s', 0, sessionRow('s')))
    assert.is(missed, 0)
    await server.ask('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await until(() => missed === 1)
    await until(() => move(a, 1).catch(() => false))
    await until(() => heard.length > 0)
    assert.equal([heard, missed], [[2], 1])
  },

  async 'a script that the server no longer has is sent again'({ a, server }) {
    assert.ok(await commitSession(a, 'id-s', 0, sessionRow('s')))
    await server.ask('SCRIPT', 'FLUSH')
    assert.ok(await move(a, 1))
    assert.is(await move(a, 1), false)
  },

  async 'a session with a new chart number is due for nodes that know this chart'({ a, b }) {
    assert.ok(await commitSession(a, 'id-s', 0, sessionRow('s', { chart: 1 })))
    assert.ok(await commitSession(b, 'id-s', 1, sessionRow('s', { chart: 3, version: 2 })))
    assert.equal(await a.sessions.due(9_000, 2, 10), [])
    assert.equal(await a.sessions.due(9_000, 3, 10), ['id-s'])
    assert.is(await a.sessions.nextDueAfter(0, 2), null)
  },

  async 'due sessions of several charts are found in the order of their deadlines'({ a }) {
    for (const [name, chart, deadlineAt] of [
      ['s', 1, 3_000],
      ['t', 3, 2_000],
      ['u', 0, 1_000],
    ] as const)
      assert.ok(await commitSession(a, `id-${name}`, 0, sessionRow(name, { chart, deadlineAt })))
    assert.equal(await a.sessions.due(9_000, 3, 10), ['id-u', 'id-t', 'id-s'])
    assert.equal(await a.sessions.due(9_000, 3, 2), ['id-u', 'id-t'])
  },

  async 'a search for due sessions reads at most its limit of entries'({ a, server }) {
    for (const name of ['s', 't', 'u']) {
      assert.ok(await commitSession(a, `id-${name}`, 0, sessionRow(name, { chart: 3 })))
      await server.ask('DEL', `svc:session:id-${name}`)
    }
    const left = () => server.ask('ZCARD', 'svc:due:3')
    const before = await left()
    await a.sessions.due(9_000, 3, 2)
    assert.equal([before, await left()], [3, 1])
  },

  async 'a dropped answer leaves the set of answers'({ a, server }) {
    assert.ok(await commitSession(a, 'id-s', 0, { ...fullRow('s'), version: 1 }))
    assert.is(await server.ask('ZCARD', 'svc:answers'), 1)
    await a.sessions.dropAnswers(4_001)
    assert.is(await server.ask('ZCARD', 'svc:answers'), 0)
  },

  async 'no key outlives its row, and every key has an expiry of more than six days'({ a, server }) {
    const keys = async () => new Set((await server.ask('KEYS', '*')) as string[])
    const before = await keys()
    const claimed = { claim: CLAIM, claimedBody: 'x', answered: null, version: 2 }
    assert.ok(await commitSession(a, 'id-s', 0, sessionRow('s'), { owed: [owedRow('d')] }))
    assert.ok(await commitSession(a, 'id-s', 1, sessionRow('s', claimed)))
    for (const key of ['svc:session:id-s', 'svc:delivery:d'])
      assert.ok(Number(await server.ask('PTTL', key)) > 6 * 24 * 3_600_000, key)
    assert.ok(await commitSession(a, 'id-s', 2, null))
    assert.ok(await commitDelivery(a, 'd', 1, null))
    assert.equal(await a.deliveries.dueHosts(9_000, 9), [])
    assert.equal(await keys(), before)
  },

  async 'the ids of rows that the server no longer has are removed from the sets'({ a, server }) {
    const isCount = (key: string): boolean => key.startsWith('svc:owed-') // these are removed when their rows expire
    const keys = async () =>
      new Set(((await server.ask('KEYS', '*')) as string[]).filter(key => !isCount(key)))
    const before = await keys()
    assert.ok(
      await commitSession(a, 'id-s', 0, sessionRow('s'), { owed: [owedRow('d', { state: 'sending' })] }),
    )
    const token = [...(await keys())].find(key => key.startsWith('svc:token:')) ?? ''
    await server.ask('DEL', 'svc:session:id-s', 'svc:delivery:d', token)
    assert.equal(await a.sessions.due(9_000, 3, 10), [])
    assert.equal(await a.deliveries.dueOf('shop.example', 9_000, 10), [])
    assert.equal(await a.deliveries.dueHosts(9_000, 10), [])
    assert.equal([await a.sessions.newest(9), await a.deliveries.list()], [[], []])
    assert.equal(await keys(), before)
  },
}

for (const engine of ['Redis', 'Valkey'] as const) {
  const Nodes = suite(`nodes of one ${engine} server`)
  const test = isMissing(engine, ENGINES[engine] !== null) ? Nodes.skip : Nodes
  for (const [title, body] of Object.entries(TESTS)) test(title, () => withNodes(engine, body))
  Nodes.run()
}
