/** The state of a PostgreSQL database after it was refused, and its deliveries while other nodes work on it. @module */
import pg from 'pg'
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { openDeliveries, openStore } from '../../../stores/open.ts'
import { openDeliveriesOfPostgres } from '../../../stores/postgres/open-deliveries.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { commitSession } from '../commits.ts'
import { failureOf, leavesNothingIdle, until } from '../other-connection.ts'
import { owedRow, sessionRow } from '../rows.ts'

type Sql = (text: string) => Promise<readonly Record<string, unknown>[]>

async function withClient(use: (address: string, sql: Sql) => Promise<void>, options = ''): Promise<void> {
  const address = await newPostgresDatabase(options)
  const client = new pg.Client(address)
  await client.connect()
  try {
    await use(address, async text => (await client.query(text)).rows)
  } finally {
    await client.end()
  }
}

async function assertNoConnection(sql: Sql): Promise<void> {
  const ours = `select 1 from pg_stat_activity where application_name = 'svc' and datname = current_database()`
  await until(async () => (await sql(ours)).length === 0)
}

const Opening = suite('a PostgreSQL database that is opened')
const test = isMissing('PostgreSQL', hasPostgres) ? Opening.skip : Opening

test('a node that is refused is not alive, and leaves no connection', async () => {
  await withClient(async (address, sql) => {
    const clock = createSimulatedClock(Date.now() + 60_000)
    const refused = () => failureOf(openStore(address, 'boot A', { clock }))
    assert.match((await leavesNothingIdle(refused)).message, /the clocks/)
    assert.equal(await sql('select boot_id from nodes'), [])
    await assertNoConnection(sql)
  })
})

test('the error of a failed migration has its own cause and a remedy', async () => {
  await withClient(async (address, sql) => {
    await sql('create role reader login')
    const refused = () => failureOf(openStore(address.replace('svc@', 'reader@'), 'boot A'))
    const { message } = await leavesNothingIdle(refused)
    assert.match(message, /got "permission denied for schema public": let this user create and change tables/)
    await assertNoConnection(sql)
  })
})

test('a database that is not UTF8 is refused, by servers and by svc deliveries, and gets no tables', async () => {
  for (const encoding of ['LATIN1', 'SQL_ASCII'])
    await withClient(async (address, sql) => {
      const remedy = `make another database with "CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0"`
      for (const open of [() => openStore(address, 'boot A'), () => openDeliveries(address)]) {
        const { message } = await failureOf(open())
        const got = `expected a database whose server_encoding is UTF8, got ${encoding}: ${remedy}`
        assert.ok(message.includes(got), message)
      }
      assert.equal(await sql(`select tablename from pg_tables where schemaname = 'public'`), [])
      await assertNoConnection(sql)
    }, `encoding '${encoding}' template template0 lc_collate 'C' lc_ctype 'C'`)
})

test('svc deliveries uses the time of the database, changes by version, and closes its connection', async () => {
  await withClient(async (address, sql) => {
    const store = await openStore(address, 'boot A')
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed: [owedRow('d')] }))
    await store.close()
    const clock = createSimulatedClock(1_000)
    const tell = { failing() {}, working() {} }
    const { deliveries, commit, now, close } = await openDeliveriesOfPostgres(address, { clock, tell })
    assert.ok(Math.abs(now() - Date.now()) < 30_000, `${now()}`)
    clock.advance(3_600_000)
    assert.ok(now() - Date.now() > 3_500_000, 'the time advances')
    const delivery = { id: 'd', row: owedRow('d', { version: 2, attempts: 1 }) }
    assert.is(await commit({ delivery: { ...delivery, version: 7 } }), false)
    assert.is((await deliveries.load('d'))?.attempts, 0)
    assert.is(await commit({ delivery: { ...delivery, version: 1 } }), true)
    assert.is((await deliveries.load('d'))?.attempts, 1)
    await close()
    await assertNoConnection(sql)
  })
})

test('svc deliveries refuses tables of another version, and leaves no connection', async () => {
  await withClient(async (address, sql) => {
    await (await openStore(address, 'boot A')).close()
    const changes = [
      [`delete from kysely_migration where name >= '0010'`, '0009-revocation'],
      [`insert into kysely_migration values ('9999-later', '2026')`, '9999-later'],
      ['delete from kysely_migration', 'none'],
    ] as const
    for (const [change, got] of changes) {
      await sql(change)
      const { message } = await failureOf(openDeliveries(address))
      assert.match(message, new RegExp(`expected tables that a server of this version .*, got ${got}$`))
      await assertNoConnection(sql)
    }
  })
})

test('svc deliveries refuses an unreachable database with a remedy', async () => {
  const { message } = await failureOf(openDeliveries('postgres://svc:hunter2pw@/none?host=/tmp/none'))
  assert.match(message, /got "connect ENOENT [^"]+": see that the database runs/)
  assert.not.match(message, 'hunter2pw')
})

Opening.run()
