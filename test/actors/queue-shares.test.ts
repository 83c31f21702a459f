/** Short pieces in the arithmetic queue: a thread gets a few of them together, and reports how long each piece took. @module */
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import { createProofPool } from '../../actors/workers/proof-pool.ts'
import { Queue } from '../../actors/workers/queue.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { disclose } from '../crypto/proofs.ts'
import { suite } from '../suite.ts'
import { settle } from './node.ts'

const Shares = suite('short pieces in the queue of arithmetic')

type Begun = { readonly name: string; readonly end: (tookMs?: number) => Promise<void> }

function queueOf(threads: number) {
  const clock = createSimulatedClock(1_000_000)
  const queue = new Queue({ threads, maxWaitMs: 1_000, clock })
  const begun: Begun[] = []
  const ask = (name: string, share?: number): void => {
    const work = (took: (ms: number) => void) =>
      new Promise<void>(resolve => {
        const end = async (tookMs?: number): Promise<void> => {
          begun.splice(begun.indexOf(own), 1)
          if (tookMs !== undefined) took(tookMs)
          resolve()
          await settle(1)
        }
        const own: Begun = { name, end }
        begun.push(own)
      })
    void queue.do([{ kind: 'proof', work, ...(share !== undefined && { share: () => share }) }])
  }
  const names = (): string => begun.map(({ name }) => name).join(' ')
  return { clock, queue, begun, ask, names }
}

Shares('four quarters fill a thread; the fifth begins when one of them ends', async () => {
  const { begun, ask, names } = queueOf(1)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) ask(name, 1 / 4)
  assert.is(names(), 'a b c d')
  await begun[2]?.end()
  assert.is(names(), 'a b d e')
})

Shares('a whole piece begins when a thread has room, and no other piece begins beside it', async () => {
  const { begun, ask, names } = queueOf(1)
  ask('a', 1 / 4)
  ask('whole')
  ask('b', 1 / 4)
  assert.is(names(), 'a whole')
  await begun[0]?.end()
  assert.is(names(), 'whole')
  await begun[0]?.end()
  assert.is(names(), 'b')
})

Shares(
  'the wait is estimated from the duration that a thread reports, not from the time of a piece in the thread',
  async () => {
    const { clock, queue, begun, ask } = queueOf(1)
    for (let i = 0; i < 100; i++) {
      ask('short', 1 / 4)
      clock.advance(400)
      await begun[0]?.end(1)
    }
    for (let i = 0; i < 100; i++) ask('waits', 1 / 4)
    assert.is(queue.isOverloaded(), false, '100 of 1 ms')
  },
)

Shares('simultaneous proofs begin in the maximum number of threads', async () => {
  const started = once(process, 'worker')
  const pool = createProofPool({ arithmetic: 'auto', threads: 2 })
  await started
  let more = 0
  const count = (): number => ++more
  process.on('worker', count)
  try {
    const proof = disclose([['svc-demo.fast-0', 2]])
    assert.ok(await pool.verify(proof))
    assert.is(more, 0, 'one thread is enough for one proof')
    assert.equal(await Promise.all([pool.verify(proof), pool.verify(proof)]), [true, true])
    assert.is(more, 1)
  } finally {
    process.off('worker', count)
    await pool.close()
  }
})

Shares.run()
