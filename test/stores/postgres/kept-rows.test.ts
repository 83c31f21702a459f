/** Rows that a node of a PostgreSQL database has read or committed, and that another node has changed since. @module */
import pg from 'pg'
import * as assert from 'uvu/assert'
import { openStore } from '../../../stores/open.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { commitSession } from '../commits.ts'
import { failureOf, until } from '../other-connection.ts'
import { fullRow, sessionRow } from '../rows.ts'

const Kept = suite('rows that a node of PostgreSQL caches')
const test = isMissing('PostgreSQL', hasPostgres) ? Kept.skip : Kept

test('if the cached version is not the replaced one, the whole row is written', async () => {
  const address = await newPostgresDatabase()
  const [a, b] = [await openStore(address, 'boot A'), await openStore(address, 'boot B')]
  assert.ok(await commitSession(a, 'id-s', 0, sessionRow('s')))
  assert.ok(await commitSession(b, 'id-s', 1, { ...fullRow('s'), version: 2 }))
  assert.is(a.sessions.recent?.('id-s')?.version, 1)
  // the long columns come from the cached version 1
  assert.ok(await commitSession(a, 'id-s', 2, sessionRow('s', { version: 3 })))
  const { progress, claimedBody, result, sentUpdates, answered } =
    (await b.sessions.load('id-s')) ?? fullRow('s')
  assert.equal([progress, claimedBody, result, sentUpdates, answered], [null, null, null, null, null])
  for (const store of [a, b]) await store.close()
})

test('lost connections empty the cache, because the database may be another one', async () => {
  const address = await newPostgresDatabase()
  const [a, b] = [await openStore(address, 'boot A'), await openStore(address, 'boot B')]
  assert.ok(await commitSession(a, 'id-s', 0, sessionRow('s')))
  assert.equal([a.sessions.recent?.('id-s')?.version, await a.sessions.count()], [1, 1])
  assert.ok(await commitSession(b, 'id-t', 0, sessionRow('t')))
  const client = new pg.Client(address)
  await client.connect()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await client.end()
  await until(() => a.sessions.recent?.('id-s') === null)
  await until(async () => (await failureOf(a.sessions.load('id-s'))).message === 'no failure')
  assert.is(await a.sessions.count(), 2)
  for (const store of [a, b]) await store.close()
})

Kept.run()
