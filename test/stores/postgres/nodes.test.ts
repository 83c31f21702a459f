/** When a node of a PostgreSQL database reports that it is alive, and that it is gone. @module */
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { WriteOutcomes } from '../../../stores/outage.ts'
import { type NodesDeps, PostgresNodes } from '../../../stores/postgres/nodes.ts'
import { StoreError, StoreRefusalError } from '../../../stores/store-error.ts'
import { settle } from '../../actors/node.ts'
import { suite } from '../../suite.ts'

/** A node whose renewals are answered when the test allows it, except for the first. */
async function setUp() {
  const clock = createSimulatedClock(1_000)
  const asked: string[] = []
  const state = { answer: async (): Promise<void> => {} }
  const database: NodesDeps['database'] = {
    async all<Row>() {
      asked.push('renewal')
      await state.answer()
      return [{ now_at: clock.now() }] as Row[] // the only statement of this test
    },
    async run({ sql }) {
      asked.push(/where boot_id/.test(sql) ? 'release' : 'tidying')
      return 1
    },
    async transaction() {
      asked.push('try')
      await state.answer()
      return false
    },
  }
  const warnings: string[] = []
  const warn = (line: string): void => void warnings.push(line)
  const writes = new WriteOutcomes()
  const nodes = new PostgresNodes({ database, clock, name: 'here', bootId: 'boot A', warn, writes })
  await nodes.open()
  return { clock, asked, state, nodes, warnings, writes }
}

const Nodes = suite('the lease of a node in a PostgreSQL database')

Nodes(
  'a node that is closed during a renewal releases its lease after that, and renews no more',
  async () => {
    const { clock, asked, state, nodes } = await setUp()
    let answer = (): void => {}
    state.answer = () =>
      new Promise(resolve => {
        answer = resolve
      })
    clock.advance(3_000)
    const released = nodes.release()
    await settle()
    assert.equal(asked, ['renewal', 'tidying', 'renewal'])
    answer()
    await released
    assert.equal([asked.slice(3), clock.nextTimerAt()], [['release'], null])
  },
)

Nodes('after a failed renewal the next one follows, and nothing is thrown', async () => {
  const { clock, asked, state, nodes, warnings } = await setUp()
  state.answer = async () => {
    throw new StoreError('the database is gone')
  }
  for (const renewals of [2, 3, 4]) {
    clock.advance(3_000)
    await settle()
    assert.is(asked.filter(each => each === 'renewal').length, renewals)
  }
  assert.equal(warnings, [])
  await nodes.release()
})

Nodes('after a refused write, the node tries a write with each renewal until one succeeds', async () => {
  const { clock, asked, state, nodes, writes } = await setUp()
  const passes = async (): Promise<void> => {
    clock.advance(3_000)
    await settle()
  }
  await passes()
  assert.not(asked.includes('try'))
  state.answer = async () => {
    throw new StoreRefusalError('the database takes no writes')
  }
  await passes()
  assert.ok(writes.refusesWrites, 'a renewal is a write')
  state.answer = async () => {
    if (asked.at(-1) === 'try') throw new StoreRefusalError('the disk is full')
  }
  await passes()
  assert.ok(writes.refusesWrites, 'a renewal that succeeds proves nothing')
  state.answer = async () => {}
  await passes()
  await passes()
  assert.not(writes.refusesWrites)
  assert.is(asked.filter(each => each === 'try').length, 2)
  await nodes.release()
})

Nodes.run()
