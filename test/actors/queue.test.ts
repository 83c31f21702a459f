/** The arithmetic queue: messages take turns, an aborted or failed message leaves the queue, and the waiting time is limited. @module */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { settle } from './node.ts'

import { testQueue } from './test-queue.ts'

const Turns = suite('the queue of arithmetic')

Turns('the first proof of a later message begins before the second proofs of earlier messages', async () => {
  const q = testQueue()
  const outputs = [q.message('A', 3), q.message('B', 3)]
  await settle(1)
  await q.running[0]?.end()
  await q.running[0]?.end()
  outputs.push(q.message('C', 3)) // A2 is in progress
  await q.drain()
  assert.equal(q.order, ['A1', 'B1', 'A2', 'C1', 'B2', 'C2', 'A3', 'B3', 'C3'])
  assert.equal((await Promise.all(outputs))[1], ['B1 done', 'B2 done', 'B3 done'])
})

Turns(
  'in a round the messages with fewest proofs come first, and messages of one size in their order of arrival',
  async () => {
    const q = testQueue()
    for (const [name, size] of Object.entries({ A: 1, B: 3, C: 2, D: 1, E: 2 })) void q.message(name, size)
    await q.drain()
    assert.equal(q.order, ['A1', 'D1', 'C1', 'E1', 'B1', 'C2', 'E2', 'B2', 'B3'])
  },
)

Turns(
  'in any order of arrivals and ends, a second proof begins after all first proofs, and every proof runs once',
  async () => {
    const arriving = fc.record({ size: fc.integer({ min: 1, max: 5 }) })
    const ending = fc.record({ ends: fc.nat() })
    const script = fc.array(fc.oneof(arriving, ending), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), script, async (threads, steps) => {
        const q = testQueue(threads)
        /** the number of started proofs, by message */
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
            look() // a piece that can start starts at once
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

Turns('all threads calculate proofs at the same time, also of one message', async () => {
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

Turns('once a proof of the only message is wrong, its next proof does not begin', async () => {
  const q = testQueue()
  const wrong = rejection(q.message('A', 3))
  await q.running[0]?.fail(new Error('wrong'))
  assert.equal([await wrong, q.order], ['Error: wrong', ['A1']])
})

Turns('aborted work leaves the queue; a piece in progress ends, and its result is ignored', async () => {
  const q = testQueue()
  const claims = [new AbortController(), new AbortController()] as const
  const [begun, waiting] = [rejection(q.message('A', 2, claims[0])), rejection(q.message('B', 2, claims[1]))]
  const other = q.message('C', 1)
  for (const claim of claims) claim.abort(new Error('the claim is over'))
  assert.equal([await begun, await waiting], Array(2).fill('Error: the claim is over'))
  assert.is(await rejection(q.message('D', 1, claims[0])), 'Error: the claim is over')
  await q.drain()
  assert.equal([q.order, await other], [['A1', 'C1'], ['C1 done']])
  assert.ok(q.queue.isIdle())
})

Turns('the listener of a signal is removed when its message has ended', async () => {
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

Turns('closing rejects waiting and running work, and begins no other', async () => {
  const q = testQueue()
  const all = [rejection(q.message('A', 2)), rejection(q.message('B', 1))]
  q.queue.close(new Error('closed'))
  assert.equal(await Promise.all(all), Array(2).fill('Error: closed'))
  await q.drain()
  assert.equal([q.order, await rejection(q.message('C', 1))], [['A1'], 'Error: closed'])
})

Turns.run()
