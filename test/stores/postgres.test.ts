import pg from 'pg'
import * as assert from 'uvu/assert'
import type { Clock } from '../../ports/clock.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { openStore } from '../../stores/open.ts'
import { LATEST_OF_POSTGRES } from '../../stores/postgres/migrate-postgres.ts'
import { shownDatabase } from '../../stores/postgres/shown-database.ts'
import type { SessionStatus, StatusChange } from '../../stores/session-store.ts'
import type { Store } from '../../stores/store.ts'
import { StoreError } from '../../stores/store-error.ts'
import { emptyPostgresDatabase, hasPostgres, newPostgresDatabase } from '../postgres.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { accountRow, addressOf, commitAccount, fullAccount, linkFor } from './account-rows.ts'
import { runAccountSuite } from './account-suite.ts'
import { commitSession } from './commits.ts'
import { runKeptRowsSuite } from './kept-rows-suite.ts'
import { runLeaseSuite } from './lease-suite.ts'
import { runOidcNodesSuite, runOidcSuite } from './oidc-suite.ts'
import { failureOf, until } from './other-connection.ts'
import { runRevocationSuite } from './revocation-suite.ts'
import { owedRow, sessionRow } from './rows.ts'
import { runStoreSuite } from './store-suite.ts'

const isSkipped = isMissing('PostgreSQL', hasPostgres)

const open = async () => openStore(await emptyPostgresDatabase(), 'boot A')
runStoreSuite('postgres', open, isSkipped)
runRevocationSuite('postgres', open, isSkipped)
runAccountSuite('postgres', open, isSkipped)
runOidcSuite('postgres', open, isSkipped)
const openTwo = async () => {
  const address = await emptyPostgresDatabase()
  return { a: await openStore(address, 'boot A'), b: await openStore(address, 'boot B') }
}
runKeptRowsSuite('postgres', openTwo, isSkipped)
runOidcNodesSuite('postgres', openTwo, isSkipped)
const start = async () => {
  const address = await emptyPostgresDatabase()
  return {
    open: (bootId: string, clock?: Clock) => openStore(address, bootId, clock && { clock }),
    async endLease(bootId: string) {
      const client = new pg.Client(address)
      await client.connect()
      await client.query('update nodes set alive_until = alive_until - 15000 where boot_id = $1', [bootId])
      await client.end()
    },
  }
}
runLeaseSuite('postgres', start, isSkipped)

type Node = { readonly store: Store; readonly address: string }

async function withNodes(
  use: (a: Node, b: Node, sql: (text: string) => Promise<readonly unknown[]>) => Promise<void>,
): Promise<void> {
  const address = await newPostgresDatabase()
  const client = new pg.Client(address)
  await client.connect()
  const stores = [await openStore(address, 'boot A'), await openStore(address, 'boot B')] as const
  try {
    const [a, b] = stores.map(store => ({ store, address }))
    if (a && b) await use(a, b, async text => (await client.query(text)).rows)
  } finally {
    for (const store of stores) await store.close()
    await client.end()
  }
}

const Postgres = suite('nodes of one PostgreSQL database')
const test = isSkipped ? Postgres.skip : Postgres

test('of 40 concurrent commits on one version, on both nodes, one succeeds', async () => {
  await withNodes(async (a, b) => {
    assert.ok(await commitAccount(a.store, 0, accountRow('a')))
    for (let version = 1; version <= 20; version++) {
      const commits = Array.from({ length: 40 }, (_, i) => {
        const row = accountRow('a', { version: version + 1, attempts: i })
        return commitAccount(i % 2 === 0 ? a.store : b.store, version, row)
      })
      const won = await Promise.all(commits)
      assert.is(won.filter(isCommitted => isCommitted).length, 1)
      assert.is((await b.store.accounts.load('id-a'))?.attempts, won.indexOf(true))
    }
  })
})

test('an account that both nodes register at once is registered once', async () => {
  await withNodes(async (a, b) => {
    const rows = [accountRow('a'), accountRow('a', { tokenIdHash: 'another' })] as const
    const won = await Promise.all([commitAccount(a.store, 0, rows[0]), commitAccount(b.store, 0, rows[1])])
    assert.equal([...won].sort(), [false, true])
    assert.equal(await a.store.accounts.load('id-a'), rows[won[0] ? 0 : 1])
  })
})

test('a link that is followed on both nodes at once is used once', async () => {
  await withNodes(async (a, b) => {
    assert.ok(await commitAccount(a.store, 0, accountRow('a'), { account: { links: [linkFor('l')] } }))
    assert.ok(await commitAccount(a.store, 0, accountRow('b')))
    const use = (store: Store, name: string) =>
      commitAccount(store, 1, accountRow(name, { version: 2 }), {
        account: { usedLink: 'hash-l', addresses: [addressOf(name)] },
      })
    const won = await Promise.all([use(a.store, 'a'), use(b.store, 'b')])
    assert.equal([...won].sort(), [false, true])
    const found = await Promise.all(['a', 'b'].map(name => a.store.accounts.addressesOf(`id-${name}`)))
    assert.equal(
      found.map(addresses => addresses.length === 1),
      won,
    )
  })
})

/** The row and the change of status of one commit of a session. */
function moved(version: number, from: SessionStatus, to: SessionStatus) {
  const row = sessionRow('s', { version, status: to })
  const change = { id: 'id-s', version, oldStatus: from, newStatus: to }
  return { row, change }
}

test('a node is notified of each status change of another node once, in order, after its commit', async () => {
  await withNodes(async (a, b) => {
    const heard: [Node, unknown[]][] = [a, b].map(node => [node, []])
    for (const [{ store }, changes] of heard) store.subscribe((_id, change) => change && changes.push(change))
    assert.ok(await commitSession(a.store, 'id-s', 0, sessionRow('s')))
    const paired = moved(2, 'INITIALIZED', 'PAIRING')
    assert.is(await commitSession(a.store, 'id-s', 7, paired.row, { change: paired.change }), false)
    const done: StatusChange[] = []
    for (let version = 2; version <= 41; version++) {
      const [from, to] =
        version % 2 === 0 ? (['INITIALIZED', 'PAIRING'] as const) : (['PAIRING', 'INITIALIZED'] as const)
      const { row, change } = moved(version, from, to)
      // each node continues from the other's last commit, as soon as it can
      assert.ok(await commitSession((version % 3 === 0 ? a : b).store, 'id-s', version - 1, row, { change }))
      done.push(change)
    }
    await until(() => heard.every(([, changes]) => changes.length >= 40))
    for (const [, changes] of heard) assert.equal(changes, done)
  })
})

test('a notified status change is already stored, and a commit returns after its own node was notified', async () => {
  await withNodes(async (a, b) => {
    assert.ok(await commitSession(a.store, 'id-s', 0, sessionRow('s')))
    const { row, change } = moved(2, 'INITIALIZED', 'CONNECTED')
    const found: (SessionStatus | undefined)[] = []
    b.store.subscribe(async id => found.push((await b.store.sessions.load(id))?.status))
    let isHeard = false
    a.store.subscribe((_id, heard) => {
      isHeard = heard !== null
    })
    assert.ok(await commitSession(a.store, 'id-s', 1, row, { change }))
    assert.ok(isHeard)
    await until(() => found.length > 0)
    assert.equal(found, ['CONNECTED'])
  })
})

test('only its own node is notified of the deliveries of a commit, once', async () => {
  await withNodes(async (a, b) => {
    const [own, other]: [unknown[], unknown[]] = [[], []]
    a.store.subscribe((id, change, owed) => own.push([id, change?.newStatus, owed?.map(each => each.id)]))
    b.store.subscribe((id, change, owed) => other.push([id, change?.newStatus, owed?.map(each => each.id)]))
    assert.ok(await commitAccount(a.store, 0, accountRow('a'), { owed: [owedRow('mail')] }))
    assert.ok(await commitSession(a.store, 'id-s', 0, sessionRow('s')))
    const { row, change } = moved(2, 'INITIALIZED', 'CANCELLED')
    assert.ok(await commitSession(a.store, 'id-s', 1, row, { change, owed: [owedRow('callback')] }))
    await until(() => other.length > 0)
    assert.equal(own, [
      ['id-a', undefined, ['mail']],
      ['id-s', undefined, undefined],
      ['id-s', 'CANCELLED', ['callback']],
    ])
    assert.equal(other, [['id-s', 'CANCELLED', undefined]])
  })
})

test('after a lost connection, a node listens again, and first tells subscribers to reload', async () => {
  await withNodes(async (a, b, sql) => {
    const heard: string[] = []
    b.store.subscribe(
      (_id, change) => heard.push(change?.newStatus ?? ''),
      () => heard.push('missed'),
    )
    assert.ok(await commitSession(a.store, 'id-s', 0, sessionRow('s')))
    await sql(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'`)
    const lost = moved(2, 'INITIALIZED', 'PAIRING')
    assert.ok(await commitSession(a.store, 'id-s', 1, lost.row, { change: lost.change }))
    await until(() => heard.length > 0)
    const { row, change } = moved(3, 'PAIRING', 'CONNECTED')
    assert.ok(await commitSession(a.store, 'id-s', 2, row, { change }))
    await until(() => heard.length > 1)
    assert.equal(heard, ['missed', 'CONNECTED'])
  })
})

test('a node is alive until it is closed, or its lease has expired', async () => {
  await withNodes(async ({ address }, { store: { nodes } }, sql) => {
    const third = await openStore(address, 'boot C')
    assert.equal([await nodes.isAlive('boot A'), await nodes.isAlive('boot C')], [true, true])
    await sql(`update nodes set alive_until = alive_until - 20000 where boot_id = 'boot A'`)
    assert.is(await nodes.isAlive('boot A'), false)
    await third.close()
    assert.is(await nodes.isAlive('boot C'), false)
  })
})

test('a node that was paused longer than its lease commits nothing before it has renewed the lease', async () => {
  await withNodes(async (a, b, sql) => {
    assert.ok(await commitAccount(a.store, 0, accountRow('a')))
    await sql(`update nodes set alive_until = alive_until - 15000 where boot_id = 'boot A'`)
    const next = accountRow('a', { version: 2 })
    const failure = await failureOf(commitAccount(a.store, 1, next, { owed: [owedRow('mail')] }))
    assert.instance(failure, StoreError)
    assert.match(failure.message, /expected a lease that this node renewed in time, got one that has expired/)
    assert.equal([(await b.store.accounts.load('id-a'))?.version, await b.store.deliveries.list()], [1, []])
    await until(() => b.store.nodes.isAlive('boot A'))
    assert.ok(await commitAccount(a.store, 1, next))
  })
})

test('a node commits nothing if its lease ends before the time limit of a transaction', async () => {
  await withNodes(async ({ address }, _b, sql) => {
    const clock = createSimulatedClock(Date.now()) // so that it reports to be alive only at its start
    const store = await openStore(address, 'boot C', { clock })
    const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint'
    const isCommittedWithin = async (leftMs: number) => {
      await sql(`update nodes set alive_until = ${now} + ${leftMs} where boot_id = 'boot C'`)
      return (await failureOf(commitAccount(store, 0, accountRow(`left-${leftMs}`)))).message
    }
    assert.match(await isCommittedWithin(4_990), /a lease that this node renewed in time/)
    assert.is(await isCommittedWithin(60_000), 'no failure')
    await store.close()
  })
})

test('a node whose clock differs from that of the database is refused, with the reason', async () => {
  const address = await newPostgresDatabase()
  for (const seconds of [-60, 60]) {
    const clock = createSimulatedClock(Date.now() + seconds * 1_000)
    const { message } = await failureOf(openStore(address, 'boot A', { clock }))
    assert.match(
      message,
      /expected the clocks of this machine and of the database to agree, got -?(59|60|61) s/,
    )
  }
})

test('five nodes that start at once on an empty database create the tables once', async () => {
  const address = await newPostgresDatabase()
  const stores = await Promise.all(Array.from({ length: 5 }, (_, i) => openStore(address, `boot ${i}`)))
  const [first] = stores
  assert.ok(first && (await commitAccount(first, 0, accountRow('a'))))
  for (const store of stores) assert.is((await store.accounts.load('id-a'))?.version, 1)
  await Promise.all(stores.map(store => store.close()))
})

test('commits are still stored when the database is opened again', async () => {
  const address = await newPostgresDatabase()
  const before = await openStore(address, 'boot A')
  const inserts = { account: { addresses: [addressOf('a')] }, owed: [owedRow('mail')] }
  assert.ok(await commitAccount(before, 0, fullAccount('a'), inserts))
  await before.close()
  const after = await openStore(address, 'boot B')
  assert.equal(await after.accounts.load('id-a'), fullAccount('a'))
  assert.equal(
    [await after.accounts.addressesOf('id-a'), await after.deliveries.list()],
    [[addressOf('a')], [owedRow('mail')]],
  )
  await after.close()
})

test('tables of a newer version are refused, with the reason', async () => {
  await withNodes(async (a, _b, sql) => {
    await sql(`insert into kysely_migration values ('9999-later', '2026')`)
    const { message } = await failureOf(openStore(a.address, 'boot C'))
    const expected = `expected tables up to ${LATEST_OF_POSTGRES}, got 9999-later: start that version, or name another database`
    assert.is(message, `store ${shownDatabase(a.address)}: made by a newer version: ${expected}`)
  })
})

Postgres.run()
