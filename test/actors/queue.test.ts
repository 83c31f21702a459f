/** The queue of arithmetic: messages take turns, a message that is over leaves it, and it is bounded by time. @module */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { type Asked, type Piece, Queue } from '../../actors/workers/queue.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { settle } from './node.ts'

/** Pieces that are begun and not done: they end when the test says so. */
type Begun = { readonly name: string; end(): Promise<void>; fail(error: Error): Promise<void> }

type TestQueue = {
  readonly queue: Queue
  readonly clock: SimulatedClock
  /** names of all pieces that were begun, in order */
  readonly order: string[]
  /** what the threads are doing */
  readonly running: Begun[]
  /** a message of so many pieces, named A1, A2 … */
  message(name: string, size: number, asked?: Asked): Promise<readonly string[]>
  /** ends what is being done, and what is begun then, until nothing is left */
  drain(): Promise<void>
}

function testQueue(threads = 1, maxWaitMs = 5_000): TestQueue {
  const clock = createSimulatedClock(1_000_000)
  const queue = new Queue({ threads, maxWaitMs, clock })
  const order: string[] = []
  const running: Begun[] = []
  const piece = (name: string): Piece<string> => ({
    kind: 'proof',
    work: () =>
      new Promise((resolve, reject) => {
        order.push(name)
        const over = async (settled: () => void): Promise<void> => {
          running.splice(running.indexOf(begun), 1)
          settled()
          await settle(1)
        }
        const begun: Begun = {
          name,
          end: () => over(() => resolve(`${name} done`)),
          fail: error => over(() => reject(error)),
        }
        running.push(begun)
      }),
  })
  return {
    ...{ queue, clock, order, running },
    message: (name, size, asked) =>
      queue.do(
        Array.from({ length: size }, (_, i) => piece(`${name}${i + 1}`)),
        asked,
      ),
    async drain() {
      for (let [first] = running; first; [first] = running) await first.end()
    },
  }
}

const Turns = suite('the queue of arithmetic')

Turns(
  'a message that comes later has its first proof begun before the second one of those before it',
  async () => {
    const q = testQueue()
    const outputs = [q.message('A', 3), q.message('B', 3)]
    await settle(1)
    await q.running[0]?.end()
    await q.running[0]?.end()
    outputs.push(q.message('C', 3)) // while A2 is being done
    await q.drain()
    assert.equal(q.order, ['A1', 'B1', 'A2', 'C1', 'B2', 'C2', 'A3', 'B3', 'C3'])
    assert.equal((await Promise.all(outputs))[1], ['B1 done', 'B2 done', 'B3 done'])
  },
)

Turns('in a round the messages with fewest proofs come first, those of one size as they came', async () => {
  const q = testQueue()
  for (const [name, size] of Object.entries({ A: 1, B: 3, C: 2, D: 1, E: 2 })) void q.message(name, size)
  await q.drain()
  assert.equal(q.order, ['A1', 'D1', 'C1', 'E1', 'B1', 'C2', 'E2', 'B2', 'B3'])
})

Turns(
  'however messages come and go: no second proof before every waiting message has had its first, and every proof once',
  async () => {
    const arriving = fc.record({ size: fc.integer({ min: 1, max: 5 }) })
    const ending = fc.record({ ends: fc.nat() })
    const script = fc.array(fc.oneof(arriving, ending), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), script, async (threads, steps) => {
        const q = testQueue(threads)
        /** by message: how many of its proofs are begun */
        const begun = new Map<string, number>()
        let seen = 0
        const look = (): void => {
          for (const name of q.order.slice(seen)) {
            const message = name.replace(/\d+$/, '')
            const before = begun.get(message) ?? 0
            if (before > 0) assert.not.ok([...begun.values()].includes(0), `${name} of ${q.order}`)
            begun.set(message, before + 1)
          }
          seen = q.order.length
          assert.ok(q.running.length <= threads)
        }
        let expected = 0
        for (const [i, step] of steps.entries()) {
          if ('size' in step) {
            const name = `${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i / 26)}`
            begun.set(name, 0)
            expected += step.size
            void q.message(name, step.size)
            look() // what begins, begins at once
          } else if (q.running.length > 0) await q.running[step.ends % q.running.length]?.end()
          look()
        }
        while (q.running.length > 0) {
          await q.running[0]?.end()
          look()
        }
        assert.is(new Set(q.order).size, expected)
        assert.ok(q.queue.isIdle())
      }),
      { numRuns: 60, seed: 26 },
    )
  },
)

Turns('as many proofs at once as there are threads, also of one message', async () => {
  const q = testQueue(3)
  void q.message('A', 5)
  assert.equal(q.order, ['A1', 'A2', 'A3'])
  await q.drain()
  assert.is(q.order.length, 5)
})

Turns('once a proof of a message is wrong, its other proofs leave the queue', async () => {
  const q = testQueue(2)
  const wrong = rejection(q.message('A', 4))
  const other = q.message('B', 1)
  await q.running[0]?.fail(new Error('wrong'))
  assert.is(await wrong, 'Error: wrong')
  assert.equal(q.order, ['A1', 'A2', 'B1'])
  await q.drain()
  assert.equal([q.order.length, await other], [3, ['B1 done']])
  assert.ok(q.queue.isIdle())
})

Turns('nor is the next one begun where nothing else waits', async () => {
  const q = testQueue()
  const wrong = rejection(q.message('A', 3))
  await q.running[0]?.fail(new Error('wrong'))
  assert.equal([await wrong, q.order], ['Error: wrong', ['A1']])
})

Turns(
  'what is not wanted any more leaves the queue; what is being done ends, and nobody hears of it',
  async () => {
    const q = testQueue()
    const claims = [new AbortController(), new AbortController()] as const
    const [begun, waiting] = [
      rejection(q.message('A', 2, claims[0])),
      rejection(q.message('B', 2, claims[1])),
    ]
    const other = q.message('C', 1)
    for (const claim of claims) claim.abort(new Error('the claim is over'))
    assert.equal([await begun, await waiting], Array(2).fill('Error: the claim is over'))
    assert.is(await rejection(q.message('D', 1, claims[0])), 'Error: the claim is over')
    await q.drain()
    assert.equal([q.order, await other], [['A1', 'C1'], ['C1 done']])
    assert.ok(q.queue.isIdle())
  },
)

Turns('a signal is not listened to for longer than its message lasts', async () => {
  const q = testQueue()
  const claim = new AbortController()
  let listeners = 0
  const { signal } = claim
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++
    add(...args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--
    remove(...args)
  }
  const done = q.message('A', 1, { signal })
  assert.is(listeners, 1)
  await q.drain()
  await done
  assert.is(listeners, 0)
})

Turns('a message without proofs is done at once', async () => {
  const q = testQueue()
  assert.equal(await q.message('A', 0), [])
  assert.ok(q.queue.isIdle())
})

Turns('closing rejects what waits and what is being done, and begins nothing more', async () => {
  const q = testQueue()
  const all = [rejection(q.message('A', 2)), rejection(q.message('B', 1))]
  q.queue.close(new Error('closed'))
  assert.equal(await Promise.all(all), Array(2).fill('Error: closed'))
  await q.drain()
  assert.equal([q.order, await rejection(q.message('C', 1))], [['A1'], 'Error: closed'])
})

/** Lets a piece of work take so long. */
async function taking(q: TestQueue, ms: number): Promise<void> {
  void q.message('M', 1)
  q.clock.advance(ms)
  await q.drain()
}

Turns(
  'the wait is estimated from what such work took; so many messages more or less do not matter',
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

Turns('work of another kind says nothing about it', async () => {
  const q = testQueue(1, 1_000)
  const other = { kind: 'another', work: async () => q.clock.advance(500) }
  for (let i = 0; i < 100; i++) await q.queue.do([other])
  void q.message('A', 50)
  assert.is(q.queue.isOverloaded(), false)
  await q.drain()
})

Turns('a machine that stood still is no measure of the work', async () => {
  const q = testQueue(1, 1_000)
  await taking(q, 3_600_000)
  void q.message('A', 10)
  assert.is(q.queue.isOverloaded(), false)
  await q.drain()
})

Turns('nor is a clock that is set back', async () => {
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
  'nobody starves: while a message waits for too long the queue is overloaded, however little is in it',
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
  'a requestor that floods is refused alone: another one may add its share of the longest wait',
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

Turns('who asks alone has no other share: all that waits is its own', async () => {
  const q = testQueue(1, 1_000)
  for (let i = 0; i < 100; i++) await taking(q, 10)
  void q.message('A', 101, { requestor: 'shop' })
  assert.equal(
    ['shop', 'shop'].map(name => q.queue.isOverloaded(name)),
    [true, true],
  )
  await q.drain()
})

Turns('while a message waits for too long, whoever has nothing here may still begin', async () => {
  const q = testQueue(1, 1_000)
  void q.message('A', 1, { requestor: 'flooder' })
  void q.message('B', 2, { requestor: 'flooder' })
  q.clock.advance(1_001)
  assert.equal(
    ['flooder', 'shop'].map(name => q.queue.isOverloaded(name)),
    [true, false],
  )
  await q.drain()
})

Turns('work that takes long is no overload while nobody waits for it', async () => {
  const q = testQueue(1, 1_000)
  void q.message('A', 1)
  q.clock.advance(600_000)
  assert.is(q.queue.isOverloaded(), false)
  await q.drain()
})

Turns.run()
