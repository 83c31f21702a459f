/** The store in one SQLite file: the shared suite, and the tests that apply only to a file. @module */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Kysely, SqliteDialect } from 'kysely'
import * as assert from 'uvu/assert'
import { openDeliveries, openStore } from '../../stores/open.ts'
import { NO_OUTAGE } from '../../stores/outage.ts'
import { LATEST } from '../../stores/sql/migrate.ts'
import type { Tables } from '../../stores/sql/schema.ts'
import type { CommitWork } from '../../stores/sqlite/group-commit.ts'
import { forKysely, openSqlite, Statements } from '../../stores/sqlite/statements.ts'
import { SqliteStore } from '../../stores/sqlite/store.ts'
import { StoreError } from '../../stores/store-error.ts'
import { suite } from '../suite.ts'
import { newStoreFile } from '../temporary-folder.ts'
import { accountRow, commitAccount } from './account-rows.ts'
import { runAccountSuite } from './account-suite.ts'
import { commitAccumulators, commitSession } from './commits.ts'
import { runOidcSuite } from './oidc-suite.ts'
import { accumulatorRow, eventRow, firstOf, issuanceRecord, runRevocationSuite } from './revocation-suite.ts'
import { fullRow, sessionRow } from './rows.ts'
import { runStoreSuite } from './store-suite.ts'

const writer = fileURLToPath(new URL(`./sqlite-writer${import.meta.url.slice(-3)}`, import.meta.url))

async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error ? error.message : 'not an error'),
  )
}

runStoreSuite('sqlite', () => openStore(`sqlite:${newStoreFile()}`, 'boot A'))
runRevocationSuite('sqlite', () => openStore(`sqlite:${newStoreFile()}`, 'boot A'))
runAccountSuite('sqlite', () => openStore(`sqlite:${newStoreFile()}`, 'boot A'))
runOidcSuite('sqlite', () => openStore(`sqlite:${newStoreFile()}`, 'boot A'))

const Sqlite = suite('a SQLite file')

Sqlite('rows are still stored when the file is opened again, and only the own boot id is alive', async () => {
  const file = newStoreFile()
  const before = await openStore(`sqlite:${file}`, 'boot A')
  assert.ok(await commitSession(before, 'id-s', 0, fullRow('s')))
  await before.close()
  const after = await openStore(`sqlite:${file}`, 'boot B')
  assert.equal(await after.sessions.load('id-s'), { ...fullRow('s'), id: 'id-s' })
  assert.equal(
    [await after.sessions.count(), await after.nodes.isAlive('boot A'), await after.nodes.isAlive('boot B')],
    [1, false, true],
  )
  await after.close()
})

const UNFIT: Readonly<Record<string, object>> = {
  'a text with a NUL': { requestor: 'a\u0000b' },
  'a lone surrogate': { requestor: '\ud83d' },
  'an integer that is too long': { deadlineAt: 2 ** 53 },
  'a fraction': { deadlineAt: 1.5 },
  NaN: { deadlineAt: Number.NaN },
  'a boolean': { nonce: true },
  undefined: { nonce: undefined },
}

for (const [what, changes] of Object.entries(UNFIT))
  Sqlite(`${what} is refused before the driver could corrupt it; a concurrent commit succeeds`, async () => {
    const store = await openStore(`sqlite:${newStoreFile()}`, 'boot A')
    const [refused, isCommitted] = await Promise.all([
      messageOf(commitSession(store, 'id-s', 0, { ...sessionRow('s'), ...changes })),
      commitSession(store, 'id-t', 0, sessionRow('t')),
    ])
    assert.match(refused, /^store: expected whole text without NUL, an integer, null or bytes to bind$/)
    assert.equal([isCommitted, await store.sessions.load('id-s')], [true, null])
    await store.close()
  })

Sqlite('data of revocation is still stored when the file is opened again', async () => {
  const file = newStoreFile()
  const before = await openStore(`sqlite:${file}`, 'boot A')
  assert.ok(await commitAccumulators(before, [firstOf()]))
  assert.ok(await before.revocation.addRecord(issuanceRecord()))
  await before.close()
  const after = await openStore(`sqlite:${file}`, 'boot B')
  const { revocation } = after
  const { credentialType: _, ...rest } = issuanceRecord()
  assert.equal(await revocation.loadAll(accumulatorRow().type), [accumulatorRow()])
  assert.equal(await revocation.events(accumulatorRow().type, 0, { min: 0, max: 16 }), [eventRow(0)])
  assert.equal(await revocation.findRecord(accumulatorRow().type, 0, rest.e), issuanceRecord())
  await after.close()
})

Sqlite(
  'a file of the first release is migrated and keeps its rows, also after a migration that was killed',
  async () => {
    const file = newStoreFile()
    const before = await openStore(`sqlite:${file}`, 'boot A')
    assert.ok(await commitSession(before, 'id-s', 0, sessionRow('s')))
    await before.close()
    for (const isNoted of [true, false]) {
      const connection = await openSqlite(file)
      if (isNoted) connection.exec('alter table sessions drop column progress')
      if (isNoted) connection.exec('drop table deliveries')
      if (isNoted) connection.exec('drop table accumulators')
      connection.exec(`delete from kysely_migration where name > '0001-sessions'`)
      connection.close()
      const after = await openStore(`sqlite:${file}`, 'boot A')
      assert.equal(await after.sessions.load('id-s'), sessionRow('s'))
      assert.ok(await commitSession(after, 'id-t', 0, fullRow('t')))
      assert.equal(await after.sessions.load('id-t'), fullRow('t'))
      await commitSession(after, 'id-t', 2, null)
      await after.close()
    }
  },
)

Sqlite('closing waits for a pending commit', async () => {
  const file = newStoreFile()
  const before = await openStore(`sqlite:${file}`, 'boot A')
  const commit = commitSession(before, 'id-s', 0, sessionRow('s'))
  await before.close()
  assert.ok(await commit)
  const after = await openStore(`sqlite:${file}`, 'boot B')
  assert.is((await after.sessions.load('id-s'))?.version, 1)
  await after.close()
})

Sqlite('a damaged snapshot, claim or answer is read as null, so that deadlines continue', async () => {
  const file = newStoreFile()
  const before = await openStore(`sqlite:${file}`, 'boot A')
  await commitSession(before, 'id-s', 0, fullRow('s'))
  await before.close()
  const database = await openSqlite(file)
  database.exec(`update sessions set snapshot = '{"value":', claim = 'secret', answer = ''`)
  database.close()
  const store = await openStore(`sqlite:${file}`, 'boot A')
  const damaged = { snapshot: null, claim: null, answered: null }
  assert.equal(await store.sessions.load('id-s'), { ...fullRow('s'), id: 'id-s', ...damaged })
  await store.close()
})

Sqlite(
  'a second server on the same file is refused with a clear message, until the first closes',
  async () => {
    const file = newStoreFile()
    const first = await openStore(`sqlite:${file}`, 'boot A')
    const refusal = `store ${file}: expected to be its only process, but another one uses it: stop that one, or name another file`
    assert.is(await messageOf(openStore(`sqlite:${file}`, 'boot B')), refusal)
    const [exitCode] = await once(fork(writer, [file], { silent: true }), 'close')
    assert.is.not(exitCode, 0, 'another process is refused, too')
    assert.ok(await commitSession(first, 'id-s', 0, sessionRow('s')), 'the first continues')
    await first.close()
    const second = await openStore(`sqlite:${file}`, 'boot B')
    assert.is((await second.sessions.load('id-s'))?.version, 1)
    await second.close()
  },
)

Sqlite('kill -9 loses no reported commit, and frees the file', async () => {
  const file = newStoreFile()
  const child = fork(writer, [file])
  let told = 0
  let isRefused = false
  child.on('message', version => {
    told = Number(version)
    if (told >= 50 && isRefused) child.kill('SIGKILL')
  })
  await once(child, 'message')
  assert.match(await messageOf(openStore(`sqlite:${file}`, 'boot B')), 'another one uses it')
  isRefused = true
  await once(child, 'close')
  const store = await openStore(`sqlite:${file}`, 'boot B')
  const version = (await store.sessions.load('id-s'))?.version ?? 0
  assert.ok(told >= 50 && version >= told, `told ${told}, stored ${version}`)
  await store.close()
})

Sqlite('after a commit with an unknown outcome, a read returns the stored row', async () => {
  const file = newStoreFile()
  await (await openStore(`sqlite:${file}`, 'boot A')).close()
  const database = await openSqlite(file)
  const statements = new Statements(database, { assertThere() {}, failed: error => error })
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(database, statements) }) })
  let isBroken = false
  const commit = async ({ run }: CommitWork): Promise<boolean> => {
    const isDone = run()
    if (isBroken) throw new StoreError('the disk is gone')
    return isDone
  }
  const commits = { commit, drain: async () => {} }
  const outage = NO_OUTAGE
  const store = new SqliteStore({
    db,
    statements,
    bootId: 'boot A',
    outage,
    commits,
    close: () => db.destroy(),
  })
  assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
  assert.ok(await commitAccount(store, 0, accountRow('a')))
  isBroken = true
  for (const unknown of [
    commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 })),
    commitAccount(store, 1, accountRow('a', { version: 2 })),
  ])
    assert.match(await messageOf(unknown), 'the disk is gone')
  assert.is((await store.sessions.load('id-s'))?.version, 2)
  assert.is((await store.accounts.load('id-a'))?.version, 2)
  await store.close()
})

Sqlite('only its owner may read and write the file', async () => {
  const file = newStoreFile()
  const store = await openStore(`sqlite:${file}`, 'boot A')
  await commitSession(store, 'id-s', 0, sessionRow('s'))
  for (const name of [file, `${file}-wal`]) assert.is(statSync(name).mode & 0o077, 0)
  await store.close()
})

Sqlite('a text that SQLite would truncate is refused, and a concurrent commit succeeds', async () => {
  const store = await openStore(`sqlite:${newStoreFile()}`, 'boot A')
  const [spoilt, fine] = await Promise.allSettled([
    commitSession(store, 'id-s', 0, sessionRow('s', { requestor: 'a\0b' })),
    commitSession(store, 'id-t', 0, sessionRow('t')),
  ])
  assert.equal([spoilt?.status, fine?.status], ['rejected', 'fulfilled'])
  assert.equal([await store.sessions.load('id-s'), (await store.sessions.load('id-t'))?.version], [null, 1])
  await store.close()
})

Sqlite('a snapshot that is not JSON is read as null, so that its session can be closed', async () => {
  const file = newStoreFile()
  const before = await openStore(`sqlite:${file}`, 'boot A')
  await commitSession(before, 'id-s', 0, sessionRow('s'))
  await before.close()
  const connection = await openSqlite(file)
  connection.prepare('update sessions set snapshot = ?').run('{')
  connection.close()
  const after = await openStore(`sqlite:${file}`, 'boot A')
  assert.is((await after.sessions.load('id-s'))?.snapshot, null)
  await after.close()
})

Sqlite('tables of a newer version are refused, and the file is free again', async () => {
  const file = newStoreFile()
  await (await openStore(`sqlite:${file}`, 'boot A')).close()
  const connection = await openSqlite(file)
  connection.prepare('insert into kysely_migration (name, timestamp) values (?, ?)').run('9999-later', '')
  connection.close()
  const refusal = `store ${file}: made by a newer version: expected tables up to ${LATEST}, got 9999-later: start that version, or name another file`
  for (let i = 0; i < 2; i++) {
    assert.is(await messageOf(openStore(`sqlite:${file}`, 'boot A')), refusal)
    assert.is(await messageOf(openDeliveries(`sqlite:${file}`)), refusal)
  }
})

Sqlite('if the file is locked, all commits of a turn fail, and later ones succeed', async () => {
  const file = newStoreFile()
  const store = await openStore(`sqlite:${file}`, 'boot A')
  const other = await openSqlite(file)
  other.exec('begin immediate')
  const outcomes = await Promise.allSettled(
    ['a', 'b'].map(name => commitSession(store, `id-${name}`, 0, sessionRow(name))),
  )
  assert.equal(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  other.close()
  assert.is(await store.sessions.load('id-a'), null)
  assert.ok(await commitSession(store, 'id-a', 0, sessionRow('a')))
  assert.is(await store.sessions.count(), 1)
  await store.close()
})

Sqlite('only the names of stores are opened', async () => {
  for (const name of ['', 'sqlite:', 'sqlite', 'sqlite::memory:', 'redis:x', 'Memory'])
    assert.is(
      await messageOf(openStore(name, 'boot A')),
      `store: expected "memory", "sqlite:FILE" or "postgres://...", got ${JSON.stringify(name)}`,
    )
})

Sqlite.run()
