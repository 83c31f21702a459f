/** The records of an OpenID provider in a PostgreSQL database: older databases, older nodes, and nodes whose lease has expired. @module */
import pg from 'pg'
import * as assert from 'uvu/assert'
import { openStore } from '../../../stores/open.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { commitSession } from '../commits.ts'
import { commitOidc, deleting, oidcRecord, setting } from '../oidc-rows.ts'
import { failureOf } from '../other-connection.ts'
import { fullRow, sessionRow } from '../rows.ts'

const Records = suite('records of an OpenID provider in a PostgreSQL database')
const test = isMissing('PostgreSQL', hasPostgres) ? Records.skip : Records

async function query(address: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

test('a newer node adds the table while an older one runs, and both continue', async () => {
  const address = await newPostgresDatabase()
  const older = await openStore(address, 'boot A')
  assert.ok(await commitSession(older, 'id-s', 0, fullRow('s')))
  await query(address, 'drop table oidc_records', `delete from kysely_migration where name >= '0012-oidc'`)
  const newer = await openStore(address, 'boot B')
  const row = oidcRecord('a', { grant: 'g', uid: 'u' })
  assert.ok(await commitOidc(newer, setting(row)))
  assert.ok(await commitSession(older, 'id-t', 0, sessionRow('t')))
  assert.equal(await newer.sessions.load('id-s'), fullRow('s'))
  assert.equal(await newer.oidc.find(row.kind, row.id), row)
  await older.close()
  await newer.close()
})

test('a node with an expired lease changes no record', async () => {
  const address = await newPostgresDatabase()
  const [a, b] = [await openStore(address, 'boot A'), await openStore(address, 'boot B')]
  assert.ok(await commitOidc(a, setting(oidcRecord('code', { grant: 'g' }))))
  await query(address, `update nodes set alive_until = alive_until - 15000 where boot_id = 'boot A'`)
  const second = setting(oidcRecord('code', { version: 2 }))
  assert.match(
    (await failureOf(commitOidc(a, second))).message,
    /expected a lease that this node renewed in time/,
  )
  assert.is((await b.oidc.find('AccessToken', 'code'))?.version, 1)
  assert.ok(await commitOidc(b, second))
  await a.close()
  await b.close()
})

test('concurrent commits of records each have their own outcome', async () => {
  const store = await openStore(await newPostgresDatabase(), 'boot A')
  const [old, gone] = [oidcRecord('old'), oidcRecord('gone', { kind: 'Session' })]
  assert.ok(await commitOidc(store, setting(old), setting(gone)))
  const commits = [
    commitOidc(store, setting(oidcRecord('new', { grant: 'g', uid: 'u' }))),
    commitOidc(store, setting(old)),
    commitOidc(store, setting({ ...old, version: 2, sealed: 'second' })),
    commitOidc(store, setting({ ...old, kind: 'Session' })),
    commitSession(store, 'id-s', 0, sessionRow('s')),
    commitOidc(store, setting(oidcRecord('bad', { sealed: 'a\u0000b' }))),
    commitOidc(store, deleting(gone, 2)),
    commitOidc(store, deleting(gone)),
    store.commit({ oidc: { changes: [setting(oidcRecord('late', { version: 5 }))] } }),
  ]
  const outcomes = (await Promise.allSettled(commits)).map(outcome =>
    outcome.status === 'fulfilled' ? outcome.value : 'error',
  )
  assert.equal(outcomes, [true, false, true, true, true, 'error', false, true, false])
  assert.equal(await store.oidc.find('AccessToken', 'new'), oidcRecord('new', { grant: 'g', uid: 'u' }))
  assert.is((await store.oidc.find('AccessToken', 'old'))?.sealed, 'second')
  assert.equal([await store.oidc.find('Session', 'gone'), await store.oidc.count()], [null, 3])
  await store.close()
})

Records.run()
