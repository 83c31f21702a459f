/** An SQLite file that fails: calls fail, the failure is logged once, nothing blocks, and work resumes by itself when the file works again. @module */

import { mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import { restoreRequest } from '../../protocol/request.ts'
import { openStore } from '../../stores/open.ts'
import { WriteOutcomes } from '../../stores/outage.ts'
import { StoreHealth } from '../../stores/sqlite/file/store-health.ts'
import { GroupCommit } from '../../stores/sqlite/group-commit.ts'
import { openSqlite, Statements, useWriteAheadLog } from '../../stores/sqlite/statements.ts'
import type { Store } from '../../stores/store.ts'
import type { Synchronous } from '../../stores/store-options.ts'
import { settle } from '../actors/node.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { newStoreFile, temporaryFolder } from '../temporary-folder.ts'
import { commitSession } from './commits.ts'
import { sessionRow } from './rows.ts'

const folder = temporaryFolder()

type Opened = {
  readonly file: string
  readonly store: Store
  readonly clock: SimulatedClock
  readonly told: string[]
}

async function open(file = newStoreFile()): Promise<Opened> {
  const clock = createSimulatedClock(1_000_000)
  const told: string[] = []
  const tell = {
    failing: (message: string) => told.push(message),
    working: (message: string) => told.push(message),
  }
  return { file, store: await openStore(`sqlite:${file}`, 'boot A', { clock, tell }), clock, told }
}

async function lock(file: string): Promise<{ release(): void }> {
  const other = await openSqlite(file)
  other.exec('begin immediate')
  return { release: () => other.close() }
}

const Locked = suite('an SQLite file that is locked')

Locked('does not block the event loop or reads; waiting commits succeed once the lock is gone', async () => {
  const { file, store, told } = await open()
  const { release } = await lock(file)
  let isSettled = false
  const commit = commitSession(store, 'id-s', 0, sessionRow('s')).finally(() => {
    isSettled = true
  })
  const more: Promise<boolean>[] = []
  const ticked = new Promise<void>(resolve => {
    let ticks = 0
    const timer = setInterval(() => {
      more.push(commitSession(store, `id-${ticks}`, 0, sessionRow(`${ticks}`)))
      if (++ticks < 5) return
      clearInterval(timer)
      resolve()
    }, 25)
  })
  await ticked
  assert.is(await store.sessions.load('id-s'), null, 'reads continue')
  assert.not(isSettled)
  release()
  assert.ok(await commit)
  assert.equal(await Promise.all(more), [true, true, true, true, true])
  assert.equal(told, [])
  await store.close()
})

Locked('is waited for at most 3 s; the lock and its end are logged once each', async () => {
  const { file, store, clock, told } = await open()
  const { release } = await lock(file)
  const commit = rejection(commitSession(store, 'id-s', 0, sessionRow('s')))
  await settle()
  clock.advance(3_000)
  assert.match(
    await commit,
    /^StoreError: store .*got "database is locked": end the program that keeps the file locked/,
  )
  const again = Array.from({ length: 20 }, (_, i) =>
    rejection(commitSession(store, `id-${i}`, 0, sessionRow(`${i}`))),
  )
  await settle()
  clock.advance(3_000)
  await Promise.all(again)
  assert.equal([told.length, told[0]?.includes(file)], [1, true])
  assert.not(store.outage.refusesWrites, 'a lock is no refusal')
  release()
  assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
  assert.is(told.length, 1, 'it may fail again')
  clock.advance(5_000)
  assert.ok(await commitSession(store, 'id-t', 0, sessionRow('t')))
  assert.equal(told.slice(1), [`store ${file}: it works again`])
  await store.close()
})

Locked.run()

const Failing = suite('an SQLite file that fails')

/** Commits on a connection that the test can break: numbers into one table. */
async function spoilable(synchronous: Synchronous = 'normal') {
  const file = newStoreFile()
  const database = await openSqlite(file)
  useWriteAheadLog(database, synchronous)
  database.exec('create table numbers (number integer, filling blob)')
  const clock = createSimulatedClock(1_000)
  const told: string[] = []
  const note = (message: string): void => void told.push(message)
  const health = new StoreHealth(file, clock, { failing: note, working: note })
  const statements = new Statements(database, health)
  const writes = new WriteOutcomes()
  const commits = new GroupCommit({ statements, health, clock, writes, guard: () => {}, synchronous })
  const add = (number: number, bytes = 0): Promise<boolean> =>
    commits.commit({
      run: () => statements.run('insert into numbers values (?, zeroblob(?))', [number, bytes]) > 0,
      isOneStatement: true,
    })
  const stored = (): number[] =>
    statements
      .all<{ number: number }>('select number from numbers order by number', [])
      .map(row => row.number)
  return { file, database, add, stored, told, clock, writes }
}

Failing('SQLite itself does not wait for a lock, because that would block the event loop', async () => {
  const { database } = await spoilable()
  assert.equal(Object.values({ ...database.prepare('pragma busy_timeout').get() }), [0])
})

Failing('a full disk fails every commit of the group; commits succeed again when there is room', async () => {
  const { database, add, stored, told, file, writes } = await spoilable()
  assert.ok(await add(1))
  database.exec('pragma max_page_count = 4')
  const outcomes = await Promise.all([2, 3].map(number => rejection(add(number, number === 3 ? 100_000 : 0))))
  for (const outcome of outcomes)
    assert.is(
      outcome,
      `StoreError: store ${file}: expected to read and write the file, got "database or disk is full": make room on the disk of the file`,
    )
  assert.equal(stored(), [1])
  assert.is(told.length, 1)
  assert.ok(writes.refusesWrites)
  database.exec('pragma max_page_count = 1000000')
  assert.equal(await Promise.all([add(2), add(3, 100_000)]), [true, true])
  assert.equal(stored(), [1, 2, 3])
  assert.not(writes.refusesWrites)
})

Failing('each cause has one line until the file works again, even if causes alternate', async () => {
  const { database, add, told, clock } = await spoilable()
  const failWith = { full: 'max_page_count = 4', readonly: 'query_only = 1' }
  const alternate = async (): Promise<void> => {
    for (const spoil of [failWith.full, failWith.readonly, failWith.full, failWith.readonly]) {
      database.exec(`pragma ${spoil}`)
      await rejection(add(1, 100_000))
      database.exec('pragma query_only = 0')
      clock.advance(5_000)
    }
  }
  const causes = (): string[] => told.splice(0).map(line => line.replace(/.*: /, ''))
  const both = [
    'make room on the disk of the file',
    'let this user write the file, its folder and their file system',
  ]
  await alternate()
  assert.equal(causes(), both)
  assert.ok(await add(1))
  assert.equal(causes(), ['it works again'])
  await alternate()
  assert.equal(causes(), both)
})

Failing('a read-only file can still be read, and written again once it is writable', async () => {
  const { database, add, stored } = await spoilable()
  assert.ok(await add(1))
  database.exec('pragma query_only = 1')
  assert.match(await rejection(add(2)), /^StoreError: .*readonly database": let this user write the file/)
  assert.equal(stored(), [1])
  database.exec('pragma query_only = 0')
  assert.ok(await add(2))
})

Failing('while the file is deleted or replaced, every read and write fails', async () => {
  const { file, store, told } = await open()
  assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
  const calls = [
    () => commitSession(store, 'id-t', 0, sessionRow('t')),
    () => store.sessions.load('id-s'),
    () => store.sessions.load('id-t'),
    () => store.sessions.findByRequestorToken('t'),
    () => store.sessions.due(1, 1, 1),
    () => store.sessions.dropAnswers(1),
    () => store.deliveries.list(),
    () => store.deliveries.dueHosts(1, 1),
    () => store.revocation.dropRecords(1),
  ]
  renameSync(file, `${file}.away`)
  for (const call of calls) assert.match(await rejection(call()), /^StoreError: .*that was opened, got none/)
  writeFileSync(file, '')
  for (const call of calls) assert.match(await rejection(call()), /^StoreError: .*got another one/)
  assert.equal(
    told.map(line => /got (.*): put it back/.exec(line)?.[1]),
    ['none', 'another one'],
  )
  renameSync(`${file}.away`, file)
  assert.is((await store.sessions.load('id-s'))?.version, 1)
  assert.ok(await commitSession(store, 'id-t', 0, sessionRow('t')))
  await store.close()
})

Failing('the error for a damaged file has the cause and a remedy', async () => {
  const { file, store } = await open()
  const request = restoreRequest('x'.repeat(20_000))
  for (let i = 0; i < 300; i++) await commitSession(store, `id-${i}`, 0, sessionRow(`${i}`, { request }))
  await store.close()
  truncateSync(file, 40_960)
  const damaged = await openStore(`sqlite:${file}`, 'boot A').catch((error: Error) => error)
  const failure = damaged instanceof Error ? `${damaged}` : await rejection(damaged.sessions.load('id-7'))
  assert.match(
    failure,
    /^StoreError: .*malformed": stop the server and put a backup in the place of the file/,
  )
})

Failing('a path that is no store is refused with the kind of problem', async () => {
  const [garbage, directory] = [newStoreFile(), newStoreFile()]
  writeFileSync(garbage, 'no database, but long enough to be taken for one'.repeat(20))
  mkdirSync(directory)
  for (const [file, expected] of [
    [garbage, /got "file is not a database": name the SQLite file of a server/],
    [directory, /^Error: store .*: expected a file, got something else: name another one/],
    [
      join(folder, 'none', 's.db'),
      /^StoreError: store .*none\/s\.db: expected to read and write the file, got "ENOENT.*": see that the folder of the file exists/,
    ],
  ] as const)
    assert.match(await rejection(openStore(`sqlite:${file}`, 'boot A')), expected)
})

Failing.run()
