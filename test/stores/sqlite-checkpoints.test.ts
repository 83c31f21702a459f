/** The write-ahead log of an SQLite file is copied back into the file during commits. @module */
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { openStore } from '../../stores/open.ts'
import { Checkpoints } from '../../stores/sqlite/checkpoints/checkpoints.ts'
import { openSqlite, useWriteAheadLog } from '../../stores/sqlite/statements.ts'
import { until } from '../patience.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { sessionRow } from './rows.ts'

const TRANSACTIONS = 250
const folder = temporaryFolder()

function commit(checkpoints: Checkpoints, times: number): void {
  for (let i = 0; i < times; i++) checkpoints.committed()
}

async function unwritten(name: string) {
  const file = join(folder, name)
  const database = await openSqlite(file)
  useWriteAheadLog(database, 'normal')
  database.exec('pragma wal_autocheckpoint = 0')
  database.exec('create table t (x)')
  return { file, database, size: () => statSync(file).size }
}

const Beside = suite('checkpoints of an SQLite file')

Beside('after 250 transactions the log is copied into the open file', async () => {
  const { file, database, size } = await unwritten('once')
  const checkpoints = new Checkpoints(file)
  const before = size()
  commit(checkpoints, TRANSACTIONS - 1)
  await checkpoints.close()
  assert.is(size(), before)
  commit(checkpoints, 1)
  await checkpoints.close()
  assert.ok(size() > before)
  database.close()
})

Beside('the log is copied again after the next 250 transactions', async () => {
  const { file, database, size } = await unwritten('again')
  const checkpoints = new Checkpoints(file)
  commit(checkpoints, TRANSACTIONS)
  await checkpoints.close()
  const before = size()
  database.exec(`insert into t values ('${'x'.repeat(100_000)}')`)
  commit(checkpoints, TRANSACTIONS)
  await checkpoints.close()
  assert.ok(size() > before + 50_000)
  database.close()
})

Beside('a thread that fails throws no error, and another one replaces it', async () => {
  const file = join(folder, 'none')
  writeFileSync(file, 'no database, but long enough to be taken for one'.repeat(20))
  const checkpoints = new Checkpoints(file)
  for (let i = 0; i < 2; i++) {
    commit(checkpoints, TRANSACTIONS)
    await checkpoints.close()
  }
})

Beside('a store copies its log, and its commits continue', async () => {
  const file = join(folder, 'store')
  const store = await openStore(`sqlite:${file}`, 'boot')
  const before = statSync(file).size
  for (let i = 0; i < TRANSACTIONS; i++)
    assert.ok(await store.commit({ session: { id: `id-${i}`, version: 0, row: sessionRow(`${i}`) } }))
  await until(() => statSync(file).size > before, 'a file that has grown')
  await store.close()
  const again = await openStore(`sqlite:${file}`, 'boot')
  assert.is(await again.sessions.count(), TRANSACTIONS)
  await again.close()
})

Beside.run()
