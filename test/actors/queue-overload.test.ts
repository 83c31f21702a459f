/** The overload of the arithmetic queue, in general and for one requestor. @module */
import * as assert from 'uvu/assert'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { type TestQueue, testQueue } from './test-queue.ts'

const Turns = suite('the bound of the queue of arithmetic')

/** Runs a piece of work that takes this long. */
async function taking(q: TestQueue, ms: number): Promise<void> {
  void q.message('M', 1)
  q.clock.advance(ms)
  await q.drain()
}

Turns(
  'the wait is estimated from the duration of earlier pieces, not from the number of messages',
  async () => {
    const q = testQueue(2, 1_000)
    for (let i = 0; i < 100; i++) await taking(q, 100)
    assert.is(q.queue.isOverloaded(), false)
    void q.message('A', 19)
    assert.is(q.queue.isOverloaded(), false, '19 of 100 ms for two threads')
    void q.message('B', 2)
    assert.is(q.queue.isOverloaded(), true)
    await q.drain()
    assert.is(q.queue.isOverloaded(), false)
    for (let i = 0; i < 100; i++) await taking(q, 1)
    void q.message('C', 1_000)
    assert.is(q.queue.isOverloaded(), false, '1,000 of 1 ms for two threads')
    await q.drain()
  },
)

Turns(
  'before the first measurement a piece counts 10 ms; a wait equal to the limit is no overload',
  async () => {
    const q = testQueue(1, 100)
    void q.message('A', 10)
    assert.is(q.queue.isOverloaded(), false)
    void q.message('B', 1)
    assert.is(q.queue.isOverloaded(), true)
    await q.drain()
  },
)

Turns('the duration of another kind of work does not count', async () => {
  const q = testQueue(1, 1_000)
  const other = { kind: 'another', work: async () => q.clock.advance(500) }
  for (let i = 0; i < 100; i++) await q.queue.do([other])
  void q.message('A', 50)
  assert.is(q.queue.isOverloaded(), false)
  await q.drain()
})

Turns('a measurement during a pause of the machine does not count', async () => {
  const q = testQueue(1, 1_000)
  await taking(q, 3_600_000)
  void q.message('A', 10)
  assert.is(q.queue.isOverloaded(), false)
  await q.drain()
})

Turns('a measurement with a clock that is set back does not count', async () => {
  const q = testQueue(1, 1_000)
  for (let i = 0; i < 100; i++) await taking(q, -100)
  const more = rejection(q.message('A', 100))
  const other = { kind: 'another', work: () => new Promise<never>(() => {}) }
  const never = rejection(q.queue.do(Array(101).fill(other)))
  assert.is(q.queue.isOverloaded(), true, '101 of 10 ms, and 100 of nothing')
  q.queue.close(new Error('the test is over'))
  await Promise.all([more, never])
})

Turns(
  'a queue with a message that waits for too long is overloaded, even with little work in it',
  async () => {
    const q = testQueue(1, 1_000)
    void q.message('A', 1)
    void q.message('B', 2)
    q.clock.advance(1_000)
    assert.is(q.queue.isOverloaded(), false)
    q.clock.advance(1)
    assert.is(q.queue.isOverloaded(), true)
    await q.running[0]?.end()
    assert.is(q.queue.isOverloaded(), true, 'its second proof waits')
    await q.running[0]?.end()
    assert.is(q.queue.isOverloaded(), false, 'its last proof is begun')
    await q.drain()
  },
)

Turns(
  'only the requestor that floods is refused: another may fill its share of the longest wait',
  async () => {
    const q = testQueue(1, 1_000)
    for (let i = 0; i < 100; i++) await taking(q, 10)
    const overloaded = (...names: string[]) => names.map(name => q.queue.isOverloaded(name))
    void q.message('F', 101, { requestor: 'flooder' })
    assert.equal(overloaded('flooder', 'shop', 'bank'), [true, false, false])
    void q.message('S', 49, { requestor: 'shop' })
    assert.equal(overloaded('flooder', 'shop', 'bank'), [true, false, false], '490 of 500 ms')
    void q.message('T', 1, { requestor: 'shop' })
    assert.equal(overloaded('flooder', 'shop', 'bank'), [true, true, false], '500 of 500 ms')
    void q.message('B', 33, { requestor: 'bank' })
    assert.equal(overloaded('bank', 'other'), [false, false], '330 of 333 ms')
    void q.message('C', 1, { requestor: 'bank' })
    assert.equal(overloaded('flooder', 'shop', 'bank', 'other'), [true, true, true, false])
    await q.drain()
    assert.equal(overloaded('flooder', 'shop', 'bank', 'other'), Array(4).fill(false))
  },
)

Turns(
  'a requestor that is alone in the queue is refused only when its work fills the whole wait',
  async () => {
    const q = testQueue(1, 1_000)
    for (let i = 0; i < 100; i++) await taking(q, 10)
    void q.message('A', 101, { requestor: 'shop' })
    assert.equal(
      ['shop', 'shop'].map(name => q.queue.isOverloaded(name)),
      [true, true],
    )
    await q.drain()
  },
)

Turns(
  'while a message waits for too long, a requestor without work in the queue may still begin',
  async () => {
    const q = testQueue(1, 1_000)
    void q.message('A', 1, { requestor: 'flooder' })
    void q.message('B', 2, { requestor: 'flooder' })
    q.clock.advance(1_001)
    assert.equal(
      ['flooder', 'shop'].map(name => q.queue.isOverloaded(name)),
      [true, false],
    )
    await q.drain()
  },
)

Turns('long work is no overload if no other work waits', async () => {
  const q = testQueue(1, 1_000)
  void q.message('A', 1)
  q.clock.advance(600_000)
  assert.is(q.queue.isOverloaded(), false)
  await q.drain()
})

Turns.run()
