/** The store of accounts in a PostgreSQL database: the shared suite, and what nodes of one database owe each other. Nodes here are two stores on one database. @module */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { openStore } from '../../stores/open.ts'
import { LATEST_OF_POSTGRES } from '../../stores/postgres/migrate-postgres.ts'
import type { AccountsStore } from '../../stores/store.ts'
import { StoreFailure } from '../../stores/store-failure.ts'
import { emptyPostgresDatabase, hasPostgres, newPostgresDatabase } from '../postgres.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { accountRow, addressOf, commitAccount, fullAccount, linkFor } from './account-rows.ts'
import { runAccountSuite } from './account-suite.ts'
import { runRevocationSuite } from './revocation-suite.ts'
import { owedRow } from './rows.ts'
import { runStoreSuite } from './store-suite.ts'

const isSkipped = isMissing('PostgreSQL', hasPostgres)

const open = async () => openStore(await emptyPostgresDatabase(), 'boot A')
runStoreSuite('postgres', open, isSkipped)
runRevocationSuite('postgres', open, isSkipped)
runAccountSuite('postgres', open, isSkipped)

type Node = { readonly store: AccountsStore; readonly address: string }

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

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('no failure'),
    (error: Error) => error,
  )
}

/** Until it is so, which takes a moment between two connections. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 1_500; looks++) {
    if (await isSo()) return
    await pause(10)
  }
  assert.unreachable('expected what another connection causes, got nothing')
}

const Postgres = suite('nodes of one PostgreSQL database')
const test = isSkipped ? Postgres.skip : Postgres

test('of 40 commits on one version, asked for at once on both nodes, one wins', async () => {
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
    const use = (store: AccountsStore, name: string) =>
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

test('a node hears what a commit of another owes, and nothing before the commit', async () => {
  await withNodes(async (a, b) => {
    const heard: unknown[] = []
    b.store.subscribe((id, change, owed) => heard.push([id, change, owed]))
    assert.is(
      await commitAccount(a.store, 7, accountRow('a', { version: 8 }), { owed: [owedRow('never')] }),
      false,
    )
    assert.ok(await commitAccount(a.store, 0, accountRow('a'), { owed: [owedRow('mail')] }))
    await until(() => heard.length > 0)
    assert.equal(heard, [['id-a', null, [owedRow('mail')]]])
  })
})

test('a node hears of its own commits once', async () => {
  await withNodes(async (a, b) => {
    const [own, other]: [string[], string[]] = [[], []]
    a.store.subscribe(id => own.push(id))
    b.store.subscribe(id => other.push(id))
    assert.ok(await commitAccount(a.store, 0, accountRow('a'), { owed: [owedRow('mail')] }))
    assert.ok(await commitAccount(b.store, 0, accountRow('b'), { owed: [owedRow('second')] }))
    await until(() => own.length > 1 && other.length > 1)
    assert.equal(
      [[...own].sort(), [...other].sort()],
      [
        ['id-a', 'id-b'],
        ['id-a', 'id-b'],
      ],
    )
  })
})

test('a node listens again after its connection was lost', async () => {
  await withNodes(async (a, b, sql) => {
    const heard: string[] = []
    b.store.subscribe(id => heard.push(id))
    await sql(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'`)
    await until(
      async () => (await sql(`select 1 from pg_stat_activity where query like 'listen%'`)).length === 2,
    )
    assert.ok(await commitAccount(a.store, 0, accountRow('a'), { owed: [owedRow('mail')] }))
    await until(() => heard.length > 0)
    assert.equal(heard, ['id-a'])
  })
})

test('a node is alive until it is closed, or its time is over', async () => {
  await withNodes(async ({ address }, { store: { nodes } }, sql) => {
    const third = await openStore(address, 'boot C')
    assert.equal([await nodes.isAlive('boot A'), await nodes.isAlive('boot C')], [true, true])
    await sql(`update nodes set alive_until = alive_until - 20000 where boot_id = 'boot A'`)
    assert.is(await nodes.isAlive('boot A'), false)
    await third.close()
    assert.is(await nodes.isAlive('boot C'), false)
  })
})

test('a node that stood still past its time commits nothing before it has renewed it', async () => {
  await withNodes(async (a, b, sql) => {
    assert.ok(await commitAccount(a.store, 0, accountRow('a')))
    await sql(`update nodes set alive_until = alive_until - 15000 where boot_id = 'boot A'`)
    const next = accountRow('a', { version: 2 })
    const failure = await failureOf(commitAccount(a.store, 1, next, { owed: [owedRow('mail')] }))
    assert.instance(failure, StoreFailure)
    assert.match(failure.message, /expected this node to have said in time that it is alive/)
    assert.equal([(await b.store.accounts.load('id-a'))?.version, await b.store.deliveries.list()], [1, []])
    await until(() => b.store.nodes.isAlive('boot A'))
    assert.ok(await commitAccount(a.store, 1, next))
  })
})

test('a node whose time is over before a transaction must be commits nothing: it may stand still in the midst of it', async () => {
  await withNodes(async ({ address }, _b, sql) => {
    const clock = createSimulatedClock(Date.now()) // it says by itself that it is alive at its start alone
    const store = await openStore(address, 'boot C', { clock })
    const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint'
    const isCommittedWithin = async (leftMs: number) => {
      await sql(`update nodes set alive_until = ${now} + ${leftMs} where boot_id = 'boot C'`)
      return (await failureOf(commitAccount(store, 0, accountRow(`left-${leftMs}`)))).message
    }
    assert.match(await isCommittedWithin(4_990), /said in time that it is alive/)
    assert.is(await isCommittedWithin(60_000), 'no failure')
    await store.close()
  })
})

test('a node whose clock differs from that of the database is refused, in words', async () => {
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

test('five nodes that start at once on an empty database make the tables once', async () => {
  const address = await newPostgresDatabase()
  const stores = await Promise.all(Array.from({ length: 5 }, (_, i) => openStore(address, `boot ${i}`)))
  const [first] = stores
  assert.ok(first && (await commitAccount(first, 0, accountRow('a'))))
  for (const store of stores) assert.is((await store.accounts.load('id-a'))?.version, 1)
  await Promise.all(stores.map(store => store.close()))
})

test('what was committed is there when the database is opened again', async () => {
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

test('tables of a newer version are refused, in words', async () => {
  await withNodes(async (a, _b, sql) => {
    await sql(`insert into kysely_migration values ('9999-later', '2026')`)
    const { message } = await failureOf(openStore(a.address, 'boot C'))
    const expected = `expected tables up to ${LATEST_OF_POSTGRES}, got 9999-later: start that version, or name another database`
    assert.is(message, `store "postgres://...@...": made by a newer version: ${expected}`)
  })
})

Postgres.run()
