/** Rows are read again after commits of other nodes may have been missed. @module */
import * as assert from 'uvu/assert'
import { RowRereader } from '../../actors/following/row-rereader.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { sharedBy, withChanges } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { connectedNode, createTestNode, deferred, settle, VALID } from './node.ts'

/** @param read left out: every row can be read */
function rereading(read: (id: string) => Promise<unknown> = async () => {}) {
  const clock = createSimulatedClock(0)
  const asked: string[] = []
  const reports: string[] = []
  const wanted = new Set(['s', 't'])
  const rows = new RowRereader({
    clock,
    read(id) {
      asked.push(id)
      return read(id)
    },
    isWanted: id => wanted.has(id),
    report: (id, error) => reports.push(`${id}: ${error}`),
  })
  return { clock, asked, reports, wanted, rows }
}

const Rows = suite('rows that are read again')

Rows('a row that cannot be read is reported, and read again every second until it can be read', async () => {
  let failures = 2
  const { clock, asked, reports, rows } = rereading(async () => {
    if (failures-- > 0) throw new Error('the store is gone')
  })
  rows.add(['s'])
  for (const [ms, reads] of [
    [0, 1],
    [999, 1],
    [1, 2],
    [999, 2],
    [1, 3],
    [10_000, 3],
  ] as const) {
    clock.advance(ms)
    await settle()
    assert.is(asked.length, reads)
  }
  assert.equal(reports, Array(2).fill('s: Error: the store is gone'))
})

Rows('a row that no caller follows any more is not read', async () => {
  const { clock, asked, wanted, rows } = rereading(() => Promise.reject(new Error('the store is gone')))
  rows.add(['s', 'u'])
  await settle()
  assert.equal(asked, ['s'])
  wanted.delete('s')
  clock.advance(10_000)
  await settle()
  assert.equal([asked, clock.nextTimerAt()], [['s'], null])
})

Rows('a caller that waits for another node gets the outcome at once after missed notifications', async () => {
  const shared = sharedBy(createMemoryStore(), () => true)
  const { promise, resolve } = deferred<typeof VALID>()
  const working = await connectedNode({ store: shared, check: () => promise })
  void working.submit()
  await settle()
  let missed: () => void = () => assert.unreachable('nobody listens')
  const deaf = withChanges(shared, {
    subscribe(_listener, again = missed) {
      missed = again
      return () => {}
    },
  })
  const waiting = createTestNode({ store: deaf, clock: working.clock, bootId: 'boot B' })
  let answer = ''
  void waiting.submit().then(body => {
    answer = body
  })
  await settle()
  resolve(VALID)
  await settle()
  assert.is(answer, '', 'the node got no notification')
  missed()
  await settle()
  assert.is(answer, VALID.answer.body)
})

Rows.run()
