/** The commits of a node that share one statement, and their outcomes when the statement fails. @module */
import * as assert from 'uvu/assert'
import { createSystemClock } from '../../../ports/clock.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { Health } from '../../../stores/health.ts'
import { openStore } from '../../../stores/open.ts'
import type { CommitStatement } from '../../../stores/postgres/commit-statement.ts'
import { Database, type PreparedStatement } from '../../../stores/postgres/database.ts'
import { GroupCommit, type GroupCommitDeps } from '../../../stores/postgres/group-commit.ts'
import { failureOf } from '../../../stores/postgres/postgres-errors.ts'
import { StoreError } from '../../../stores/store-error.ts'
import { settle } from '../../actors/node.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { until } from '../other-connection.ts'
import { sessionRow } from '../rows.ts'

type PendingStatement = {
  /** ids of the rows that the statement compares */
  readonly ids: readonly string[]
  readonly won: () => Promise<void>
  readonly failed: (error: unknown) => Promise<void>
  readonly late: () => Promise<void>
}

/** Commits of a node whose database answers when the test allows it. */
function setUp() {
  const clock = createSimulatedClock(1_000)
  const asked: PendingStatement[] = []
  const database = {
    prepared: (statement: CommitStatement): Promise<never[]> =>
      new Promise((resolve, reject) => {
        const rows: { key: string; n: number }[] = JSON.parse(statement.values[1] ?? '[]')
        const answer = (is_alive: boolean): Promise<void> => {
          const row = { is_alive, won: rows.map(({ n }) => n).join(' ') }
          resolve([row as never])
          return settle()
        }
        asked.push({
          ids: rows.map(({ key }) => key),
          won: () => answer(true),
          late: () => answer(false),
          failed: error => {
            reject(error)
            return settle()
          },
        })
      }),
  }
  const stoodStill = (): StoreError => new StoreError('it stood still')
  const group = new GroupCommit({ database, clock, bootId: 'boot A', stoodStill })
  const outcomes: string[] = []
  /** a commit that changes that session, with its own text */
  const commit = (id: string, result = '') => {
    const row = sessionRow(id, { id, version: 2, progress: result })
    const changed = { session: { id, version: 1, row }, before: null }
    void group.commit({ changed, owed: [], change: null }).then(
      isCommitted => outcomes.push(`${id} ${isCommitted}`),
      (error: Error) => outcomes.push(`${id} ${error.message}`),
    )
  }
  return { clock, asked, outcomes, commit }
}

const idsOf = (asked: readonly PendingStatement[]) => asked.map(({ ids }) => ids.join(' '))

const Groups = suite('commits that share a statement of PostgreSQL')
const test = isMissing('PostgreSQL', hasPostgres) ? Groups.skip : Groups

Groups('commits of one turn of the event loop share a statement', async () => {
  const { clock, asked, outcomes, commit } = setUp()
  for (const id of ['a', 'b', 'c']) commit(id)
  assert.equal(asked, [])
  await settle()
  assert.equal([idsOf(asked), clock.nextTimerAt()], [['a b c'], null])
  await asked[0]?.won()
  assert.equal(outcomes, ['a true', 'b true', 'c true'])
})

Groups(
  'commits that arrive during a group share the next statement, which starts when the group ends',
  async () => {
    const { clock, asked, commit } = setUp()
    commit('a')
    await settle()
    commit('b')
    await settle()
    commit('c')
    await settle()
    assert.equal(idsOf(asked), ['a'])
    await asked[0]?.won()
    assert.equal([idsOf(asked), clock.nextTimerAt()], [['a', 'b c'], null])
  },
)

Groups('the next group waits at most 25 ms for the one before', async () => {
  const { clock, asked, outcomes, commit } = setUp()
  commit('a')
  await settle()
  commit('b')
  clock.advance(24)
  await settle()
  assert.equal(idsOf(asked), ['a'])
  clock.advance(1)
  await settle()
  assert.equal(idsOf(asked), ['a', 'b'])
  await asked[1]?.won()
  assert.equal(outcomes, ['b true'])
})

Groups('two commits of one row are in different groups, in their order', async () => {
  const { asked, commit } = setUp()
  for (const [id, result] of [
    ['a', 'first'],
    ['a', 'second'],
    ['b', ''],
    ['a', 'third'],
  ] as const)
    commit(id, result)
  await settle()
  assert.equal(idsOf(asked), ['a b'])
  await asked[0]?.won()
  assert.equal(idsOf(asked), ['a b', 'a'])
  await asked[1]?.won()
  assert.equal(idsOf(asked), ['a b', 'a', 'a'])
})

Groups('a group has at most 128 commits', async () => {
  const { clock, asked, commit } = setUp()
  for (let i = 0; i < 129; i++) commit(`id-${i}`)
  await settle()
  clock.advance(25)
  await settle()
  assert.equal(
    asked.map(({ ids }) => ids.length),
    [128, 1],
  )
})

Groups('a group has at most 1 MiB of values; a longer commit is alone in its group', async () => {
  const { clock, asked, commit } = setUp()
  const half = 'x'.repeat(2 ** 19)
  commit('a', half + half)
  commit('b', half)
  commit('c')
  commit('d', half)
  await settle()
  assert.equal(idsOf(asked), ['a'])
  clock.advance(25)
  await settle()
  clock.advance(25)
  await settle()
  assert.equal(idsOf(asked), ['a', 'b c', 'd'])
})

Groups('a later commit of a row does not overtake an overlong one', async () => {
  const { asked, commit } = setUp()
  commit('a')
  commit('b', 'x'.repeat(2 ** 20))
  commit('b')
  await settle()
  assert.equal(idsOf(asked), ['a'])
  await asked[0]?.won()
  assert.equal(idsOf(asked), ['a', 'b'])
})

/** An error of the driver with that SQLSTATE, as this folder translates it. */
const errorOf = (code: string) => failureOf('here', Object.assign(new Error(code), { code }))

for (const code of ['40P01', '40001', '57014', '23505', '22003'])
  Groups(`after a rollback, each commit is repeated alone: ${code}`, async () => {
    const { asked, outcomes, commit } = setUp()
    commit('a')
    commit('b')
    await settle()
    await asked[0]?.failed(errorOf(code))
    assert.equal(idsOf(asked), ['a b', 'a', 'b'])
    await asked[1]?.failed(errorOf(code))
    await asked[2]?.won()
    assert.match(outcomes[0] ?? '', /^a store here: expected/)
    assert.equal([outcomes[1], asked.length], ['b true', 3])
  })

Groups('a group with an unknown outcome is not repeated, and each of its commits fails', async () => {
  for (const error of [errorOf('57P01'), failureOf('here', new Error('Connection terminated'))]) {
    const { asked, outcomes, commit } = setUp()
    commit('a')
    commit('b')
    await settle()
    await asked[0]?.failed(error)
    assert.equal(asked.length, 1)
    for (const outcome of outcomes) assert.match(outcome, /^[ab] store here: expected to read and write/)
    assert.is(outcomes.length, 2)
  }
})

Groups(
  'if the lease of the node is too short, every commit of the group fails without a repeat',
  async () => {
    const { asked, outcomes, commit } = setUp()
    commit('a')
    commit('b')
    await settle()
    await asked[0]?.late()
    assert.equal([outcomes, asked.length], [['a it stood still', 'b it stood still'], 1])
  },
)

Groups('a value that no column can hold fails its own commit, without a statement', async () => {
  const { asked, outcomes, commit } = setUp()
  commit('a')
  commit('b', Object(Symbol.iterator))
  await settle()
  assert.equal(idsOf(asked), ['a'])
  assert.match(outcomes.join(), /^b /)
})

test('the statement of a group of 128 commits notifies all of their changes', async () => {
  const address = await newPostgresDatabase()
  const store = await openStore(address, 'boot A') // creates the tables, and is alive
  const health = new Health('here', createSimulatedClock(1_000), { failing() {}, working() {} })
  const inner = new Database(address, 'here', health)
  let statements = 0
  const database: GroupCommitDeps['database'] = {
    prepared<Row>(statement: PreparedStatement) {
      statements += 1
      return inner.prepared<Row>(statement)
    },
  }
  const stoodStill = (): StoreError => new StoreError('it stood still')
  const group = new GroupCommit({ database, clock: createSystemClock(), bootId: 'boot A', stoodStill })
  const heard: string[] = []
  store.subscribe(id => heard.push(id))
  const ids = Array.from({ length: 128 }, (_, i) => `${i}`.padStart(43, 'x')) // as long as a hash
  const commits = ids.map(id => {
    const row = sessionRow(id, { id })
    const change = { id, version: 1, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' } as const
    return group.commit({ changed: { session: { id, version: 0, row }, before: null }, owed: [], change })
  })
  assert.ok((await Promise.all(commits)).every(isCommitted => isCommitted))
  await until(() => heard.length >= 128)
  assert.equal([statements, heard.sort()], [1, [...ids].sort()])
  await inner.close()
  await store.close()
})

Groups.run()
