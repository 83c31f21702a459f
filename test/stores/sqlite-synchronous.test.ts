/** SQLite with a sync of every commit. Many commits share one sync, and each keeps its own outcome. The setting is read from the connection
 *  of the store itself. @module */
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { openStore } from '../../stores/open.ts'
import { StoreHealth } from '../../stores/sqlite/file/store-health.ts'
import { GroupCommit } from '../../stores/sqlite/group-commit.ts'
import { openSqlite, Statements, useWriteAheadLog } from '../../stores/sqlite/statements.ts'
import type { Synchronous } from '../../stores/store-options.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { settle } from '../actors/node.ts'
import { suite } from '../suite.ts'
import { newStoreFile } from '../temporary-folder.ts'
import { accountRow, commitAccount } from './account-rows.ts'
import { commitSession } from './commits.ts'
import { sessionRow } from './rows.ts'

/** The answers of `pragma synchronous`. */
const ANSWERS: Readonly<Record<Synchronous, number>> = { normal: 1, full: 2 }

/** @param use work whose transactions are listed
 *  @returns for each transaction, the setting that the store's own connection reports */
async function transactionsOf(use: () => Promise<void>): Promise<readonly unknown[]> {
  const { run } = Statements.prototype
  const synced: unknown[] = []
  Statements.prototype.run = function (sql, values) {
    if (sql === 'commit') synced.push(Object.values(this.all<object>('pragma synchronous')[0] ?? {})[0])
    return run.call(this, sql, values)
  }
  try {
    await use()
    return synced
  } finally {
    Statements.prototype.run = run
  }
}

const Synced = suite('an SQLite file whose commits are synced')

for (const synchronous of ['normal', 'full'] as const)
  Synced(
    `with "${synchronous}" every commit survives ${synchronous === 'full' ? 'a power cut' : 'the end of the process'}, before and after one that must survive both`,
    async () => {
      const levels = await transactionsOf(async () => {
        const store = await openStore(`sqlite:${newStoreFile()}`, 'boot A', { synchronous })
        assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
        assert.ok(await commitAccount(store, 0, accountRow('a')))
        assert.ok(await commitAccount(store, 1, accountRow('a', { version: 2, attempts: 1 })))
        assert.ok(await commitSession(store, 'id-t', 0, sessionRow('t')))
        await store.close()
      })
      assert.ok(levels.length >= 4)
      const [first, last] = [levels[0], levels.at(-1)]
      assert.equal([first, last], [ANSWERS[synchronous], ANSWERS[synchronous]])
      assert.is(levels.includes(2), true, 'an attempt at a PIN always survives a power cut')
      assert.is(levels.includes(1), synchronous === 'normal')
    },
  )

Synced('each commit of a group fails by itself', async () => {
  const store = await openStore(`sqlite:${newStoreFile()}`, 'boot A', { synchronous: 'full' })
  assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
  const outcomes = await Promise.allSettled([
    commitSession(store, 'id-t', 0, sessionRow('t')),
    commitSession(store, 'id-s', 7, sessionRow('s', { version: 8 })),
    commitSession(store, 'id-u', 0, sessionRow('u', { requestorTokenHash: hashOfToken('requestor-s') })),
    commitSession(store, 'id-s', 1, sessionRow('s', { version: 2, status: 'CONNECTED' })),
  ])
  assert.equal(
    outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value : 'refused')),
    [true, false, 'refused', true],
  )
  const stored = await Promise.all(['id-s', 'id-t', 'id-u'].map(id => store.sessions.load(id)))
  assert.equal(
    stored.map(row => row?.status),
    ['CONNECTED', 'INITIALIZED', undefined],
  )
  await store.close()
})

Synced('a single commit does not wait; later ones wait 2 ms, and share one sync', async () => {
  const database = await openSqlite(newStoreFile())
  useWriteAheadLog(database, 'full')
  database.exec('create table numbers (number integer)')
  const file = Object.values(database.prepare('pragma database_list').get() ?? {}).at(-1)
  const health = new StoreHealth(String(file), createSimulatedClock(), { failing() {}, working() {} })
  const statements = new Statements(database, health)
  const clock = createSimulatedClock()
  const commits = new GroupCommit({ statements, health, clock, guard() {}, synchronous: 'full' })
  const { setTimeout: timer } = globalThis
  const later: { readonly work: () => void; readonly ms: number }[] = []
  Object.assign(globalThis, { setTimeout: (work: () => void, ms: number) => later.push({ work, ms }) })
  const groups = await transactionsOf(async () => {
    const add = (number: number): Promise<boolean> =>
      commits.commit({
        run: () => statements.run('insert into numbers values (?)', [number]) > 0,
        isOneStatement: true,
      })
    try {
      assert.ok(await add(1))
      const others: Promise<boolean>[] = []
      for (let number = 2; number <= 6; number++) {
        others.push(add(number))
        await settle()
      }
      assert.equal([later.map(({ ms }) => ms), statements.all('select * from numbers').length], [[2], 1])
      later[0]?.work()
      assert.equal(await Promise.all(others), [true, true, true, true, true])
    } finally {
      Object.assign(globalThis, { setTimeout: timer })
    }
  })
  assert.equal(groups, [2, 2])
  database.close()
})

Synced.run()
