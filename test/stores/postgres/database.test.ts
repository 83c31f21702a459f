/** The connections of a node to a PostgreSQL database: their number, their settings, and their handling after a failure. @module */
import { Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { Health } from '../../../stores/health.ts'
import { clientConfig, Database, withMigrations } from '../../../stores/postgres/database.ts'
import { Sockets } from '../../../stores/postgres/sockets.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { failureOf, leavesNothingIdle, until } from '../other-connection.ts'

function query(sql: string) {
  return { sql, values: [] }
}

async function withDatabase(
  use: (set: { database: Database; client: pg.Client; changes: () => number }) => Promise<void>,
): Promise<void> {
  const address = await newPostgresDatabase()
  let changes = 0
  const health = new Health('here', createSimulatedClock(1_000), { failing() {}, working() {} })
  const database = new Database(address, 'here', health, () => {
    changes += 1
  })
  const client = new pg.Client(address)
  await client.connect()
  try {
    await use({ database, client, changes: () => changes })
  } finally {
    await database.close().catch(() => {}) // a test has closed it already
    await client.end()
  }
}

const OURS = `select pid from pg_stat_activity where application_name = 'svc' and datname = current_database()`

const Connections = suite('connections to a PostgreSQL database')
const test = isMissing('PostgreSQL', hasPostgres) ? Connections.skip : Connections

test('a node has at most ten connections, with the application name svc', async () => {
  await withDatabase(async ({ database, client }) => {
    await Promise.all(Array.from({ length: 30 }, () => database.all(query('select pg_sleep(0.05)'))))
    assert.is((await client.query(OURS)).rowCount, 10)
  })
})

test('the first connection, and further ones, do not count as a change of the server', async () => {
  await withDatabase(async ({ database, changes }) => {
    await database.all(query('select 1'))
    assert.is(changes(), 0)
    await Promise.all([1, 2, 3].map(() => database.all(query('select pg_sleep(0.05)'))))
    assert.is(changes(), 0)
  })
})

test('a transaction whose work fails is rolled back', async () => {
  await withDatabase(async ({ database }) => {
    await database.run(query('create table written (name text)'))
    const failure = database.transaction(async ({ run }) => {
      await run(query(`insert into written values ('failed')`))
      throw new Error('a bug')
    })
    assert.is((await failureOf(failure)).message.includes('a bug'), true)
    const insert = query(`insert into written values ('next')`)
    assert.ok(await database.transaction(async ({ run }) => (await run(insert)) > 0))
    assert.equal(await database.all(query('select name from written')), [{ name: 'next' }])
  })
})

test('closing waits for running queries', async () => {
  await withDatabase(async ({ database }) => {
    await database.all(query('select 1'))
    const asked = database.all(query('select 1 as one from pg_sleep(0.2)'))
    await new Promise(resolve => setImmediate(resolve))
    await database.close()
    assert.equal(await asked, [{ one: 1 }])
  })
})

test('the planner must use indexes: sequential scans, hash and merge joins, and jit are off', async () => {
  await withDatabase(async ({ database }) => {
    for (const name of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'])
      assert.equal(await database.all(query(`select current_setting('${name}') as is_on`)), [
        { is_on: 'off' },
      ])
  })
})

test('a migration may take ten minutes, on one connection, which is closed afterwards', async () => {
  const address = await newPostgresDatabase()
  const client = new pg.Client(address)
  await client.connect()
  await leavesNothingIdle(() =>
    withMigrations(address, async db => {
      const show = () => sql<object>`show statement_timeout`.execute(db)
      const [first] = await Promise.all([show(), show()])
      assert.equal(first.rows, [{ statement_timeout: '10min' }])
      assert.is((await client.query(OURS)).rowCount, 1)
    }),
  )
  await until(async () => (await client.query(OURS)).rowCount === 0)
  await client.end()
})
test('connections have TCP keep-alive, because a network may drop an idle one', async () => {
  const kept: unknown[] = []
  const create = (): Socket => {
    const socket = new Socket()
    const keepAlive = socket.setKeepAlive.bind(socket)
    socket.setKeepAlive = (...asked) => {
      kept.push(asked[0])
      return keepAlive(...asked)
    }
    return socket
  }
  const client = new pg.Client(clientConfig(await newPostgresDatabase(), { create }))
  await client.connect()
  await client.end()
  assert.equal(kept, [true])
})

Connections('a closed socket is removed from the list of sockets', async () => {
  const sockets = new Sockets()
  const [closed, open] = [sockets.create(), sockets.create()]
  closed.destroy()
  await new Promise(resolve => setImmediate(resolve))
  const destroyed: string[] = []
  for (const [name, socket] of Object.entries({ closed, open }))
    socket.destroy = () => {
      destroyed.push(name)
      return socket
    }
  sockets.destroyAll()
  assert.equal(destroyed, ['open'])
})

Connections.run()
