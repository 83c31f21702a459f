/** The commits that share a transaction of an SQLite file. @module */
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { GroupCommit } from '../../stores/sqlite/group-commit.ts'
import { openSqlite, Statements } from '../../stores/sqlite/statements.ts'
import { suite } from '../suite.ts'
import { newStoreFile } from '../temporary-folder.ts'

/** @param use makes commits
 *  @returns the number of commits of each transaction */
async function sizesOf(use: (add: () => Promise<boolean>) => Promise<unknown>): Promise<readonly number[]> {
  const database = await openSqlite(newStoreFile())
  const health = { failed: (error: unknown) => error, worked() {}, assertThere() {} }
  const sizes: number[] = []
  const statements = new Statements(database, health)
  const guard = (): void => void sizes.push(0)
  const commits = new GroupCommit({
    statements,
    health,
    guard,
    clock: createSimulatedClock(),
    synchronous: 'normal',
  })
  const run = (): boolean => {
    sizes.push((sizes.pop() ?? 0) + 1)
    return true
  }
  await use(() => commits.commit({ run, isOneStatement: true }))
  database.close()
  return sizes
}

const Groups = suite('commits that share a transaction of an SQLite file')

async function oneInEachTurn(count: number, add: () => Promise<boolean>): Promise<unknown> {
  const added: Promise<boolean>[] = []
  while (added.length < count) {
    added.push(add())
    await nextTurn()
  }
  return Promise.all(added)
}

Groups('commits of consecutive turns of the event loop share a transaction', async () => {
  assert.equal(await sizesOf(add => oneInEachTurn(3, add)), [3])
})

Groups('a transaction begins after a turn without a new commit', async () => {
  const sizes = await sizesOf(async add => {
    const first = add()
    await nextTurn()
    await nextTurn()
    return Promise.all([first, add()])
  })
  assert.equal(sizes, [1, 1])
})

Groups('a transaction waits at most four turns, even if each brings a commit', async () => {
  assert.equal(await sizesOf(add => oneInEachTurn(9, add)), [4, 4, 1])
})

Groups.run()
