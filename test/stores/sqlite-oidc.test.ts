/** The records of an OpenID provider in an SQLite file: older files, clocks that are set, and the bytes on the disk. @module */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { openKeyRing } from '../../actors/oidc/key-ring.ts'
import { startOidcTasks } from '../../actors/oidc/oidc-tasks.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { NEVER } from '../../stores/oidc-store.ts'
import { openStore } from '../../stores/open.ts'
import { openSqlite } from '../../stores/sqlite/statements.ts'
import { elapse } from '../actors/node.ts'
import { recordsOn, SEALING } from '../actors/oidc/nodes.ts'
import { suite } from '../suite.ts'
import { newStoreFile } from '../temporary-folder.ts'
import { commitSession } from './commits.ts'
import { commitOidc, oidcRecord, setting } from './oidc-rows.ts'
import { fullRow } from './rows.ts'

const HOUR = 3_600_000
const START = 1_780_000_000_000

const File = suite('records of an OpenID provider in an SQLite file')

File(
  'a file of the former version gets the table, also after a killed start, and keeps its rows',
  async () => {
    const file = newStoreFile()
    const before = await openStore(`sqlite:${file}`, 'boot A')
    assert.ok(await commitSession(before, 'id-s', 0, fullRow('s')))
    await before.close()
    for (const damage of ['drop table oidc_records', 'drop index oidc_records_uid']) {
      const connection = await openSqlite(file)
      connection.exec(damage)
      connection.exec(`delete from kysely_migration where name >= '0012-oidc'`)
      connection.close()
      const after = await openStore(`sqlite:${file}`, 'boot A')
      assert.equal(await after.sessions.load('id-s'), fullRow('s'))
      const row = oidcRecord(damage, { uid: 'u', grant: 'g' })
      assert.ok(await commitOidc(after, setting(row)))
      assert.equal(await after.oidc.find(row.kind, row.id), row)
      await after.close()
    }
  },
)

File(
  'records keep their remaining time when the clock is set, and permanent ones stay permanent',
  async () => {
    const file = newStoreFile()
    const before = await openStore(`sqlite:${file}`, 'boot A', { clock: createSimulatedClock(START) })
    assert.ok(await commitOidc(before, setting(oidcRecord('code', { expiresAt: START + 60_000 }))))
    assert.ok(await commitOidc(before, setting(oidcRecord('key', { expiresAt: NEVER }))))
    await before.close()
    const setBack = createSimulatedClock(START - 2 * HOUR)
    const after = await openStore(`sqlite:${file}`, 'boot B', { clock: setBack })
    const times = ['code', 'key'].map(async id => (await after.oidc.find('AccessToken', id))?.expiresAt)
    assert.equal(await Promise.all(times), [setBack.now() + 60_000, NEVER])
    await after.close()
  },
)

/** The records of one login, with the lifetimes of their tokens. */
const LOGIN = [
  ['Interaction', 600, { uid: 'interaction-id' }],
  ['Login', 3_600, { claims: { email: 'secret@mail.example' }, grantId: 'grant-id' }],
  ['Session', 3_600, { uid: 'session-uid', accountId: 'secret-account' }],
  ['Grant', 3_600, { accountId: 'secret-account' }],
  ['AuthorizationCode', 60, { grantId: 'grant-id', accountId: 'secret-account' }],
  ['AccessToken', 3_600, { grantId: 'grant-id', accountId: 'secret-account' }],
] as const

File(
  'the disk shows no id and no claim of a login, and an hour later the store holds nothing of it',
  async () => {
    const file = newStoreFile()
    const clock = createSimulatedClock(START)
    const store = await openStore(`sqlite:${file}`, 'boot A', { clock })
    const records = recordsOn(store, clock)
    const times = { signsMs: 24 * HOUR, publishedMs: HOUR, tokenMs: HOUR }
    const keyRing = await openKeyRing({ ...SEALING, store, clock, algorithms: ['ES256'], times })
    const failures: unknown[] = []
    const stop = startOidcTasks({
      records,
      keyRing,
      countTimeouts: async () => {},
      clock,
      report: (...failure) => failures.push(failure),
    })
    for (const [kind, seconds, payload] of LOGIN)
      await records.adapterFor(kind).upsert(`secret-${kind}`, payload, seconds)
    await records.adapterFor('AuthorizationCode').consume('secret-AuthorizationCode')
    const bytes = readdirSync(dirname(file)).map(name => readFileSync(join(dirname(file), name), 'latin1'))
    assert.match(bytes.join(), /AuthorizationCode/)
    for (const hidden of [
      'secret',
      'grant-id',
      'session-uid',
      'interaction-id',
      keyRing.signingKeys()[0]?.d ?? '',
    ])
      assert.not.ok(bytes.join().includes(hidden), `expected no trace of ${hidden}, got one`)
    assert.is(await store.oidc.count(), LOGIN.length + 1)
    await elapse(clock, HOUR + 10_000)
    await stop()
    assert.equal([await store.oidc.count(), failures], [1, []])
    await store.close()
  },
)

File.run()
