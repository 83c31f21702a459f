/** The commits in a PostgreSQL database that are flushed to disk even if the database does not do so by default. @module */
import pg from 'pg'
import * as assert from 'uvu/assert'
import { NEVER } from '../../../stores/oidc-store.ts'
import { openStore } from '../../../stores/open.ts'
import type { Store } from '../../../stores/store.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { accountRow, commitAccount } from '../account-rows.ts'
import { commitAccumulators, commitSession } from '../commits.ts'
import { commitOidc, oidcRecord, setting } from '../oidc-rows.ts'
import { firstOf, issuanceRecord } from '../revocation-suite.ts'
import { sessionRow } from '../rows.ts'

const TABLES = ['accounts', 'accumulators', 'issuance_records', 'oidc_records', 'sessions']

/** Triggers that record for each written row the setting of its commit. */
const NOTING = `create table noted (number serial, name text, setting text);
  create function note() returns trigger language plpgsql as $$ begin
    insert into noted (name, setting) values (tg_table_name, current_setting('synchronous_commit'));
    return null;
  end $$;
  ${TABLES.map(name => `create trigger noting after insert on ${name} for each row execute function note();`).join('\n')}`

/** @returns the tables that the work writes, each with the setting of its commit */
async function notedOf(given: string, work: (store: Store) => Promise<void>): Promise<unknown> {
  const address = await newPostgresDatabase()
  await (await openStore(address, 'boot A')).close() // creates the tables
  const client = new pg.Client(address)
  await client.connect()
  await client.query(NOTING)
  await client.query(`alter database ${new URL(address.replace('@/', '@x/')).pathname.slice(1)}
    set synchronous_commit = ${given}`)
  const store = await openStore(address, 'boot A')
  await work(store)
  await store.close()
  const { rows } = await client.query('select name, setting from noted order by number')
  await client.end()
  return rows.map(row => `${row.name} ${row.setting}`)
}

/** Commits one after the other, so that all use one connection. */
async function commitAll(store: Store): Promise<void> {
  assert.ok(await commitAccount(store, 0, accountRow('a')))
  assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
  assert.ok(await commitAccumulators(store, [firstOf()]))
  assert.ok(await store.revocation.addRecord(issuanceRecord()))
  assert.ok(await commitSession(store, 'id-t', 0, sessionRow('t')))
  assert.ok(await commitOidc(store, setting(oidcRecord('key', { expiresAt: NEVER }))))
  assert.ok(await commitOidc(store, setting(oidcRecord('token'))))
}

const PowerCut = suite('commits in PostgreSQL that survive a power cut')
const test = isMissing('PostgreSQL', hasPostgres) ? PowerCut.skip : PowerCut

for (const given of ['off', 'local', 'remote_write'])
  test(`synchronous_commit ${given}: only commits of accounts, revocation and permanent records are synced`, async () => {
    assert.equal(await notedOf(given, commitAll), [
      'accounts on',
      `sessions ${given}`,
      'accumulators on',
      'issuance_records on',
      `sessions ${given}`,
      'oidc_records on',
      `oidc_records ${given}`,
    ])
  })

test('synchronous_commit remote_apply is stricter, and is kept for all commits', async () => {
  const noted = await notedOf('remote_apply', commitAll)
  assert.equal(noted, [
    'accounts remote_apply',
    'sessions remote_apply',
    'accumulators remote_apply',
    'issuance_records remote_apply',
    'sessions remote_apply',
    'oidc_records remote_apply',
    'oidc_records remote_apply',
  ])
})

PowerCut.run()
