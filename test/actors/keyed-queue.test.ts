/** A keyed queue runs one task at a time for each name. `onceEach` calls a check once for each question. @module */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as assert from 'uvu/assert'
import { KeyedQueue } from '../../actors/keyed-queue.ts'
import { onceEach } from '../../actors/move.ts'
import { suite } from '../suite.ts'
import { deferred, settle } from './node.ts'

const Line = suite('a line for each name')

Line(
  'tasks of one name run one at a time, also after a failure; tasks of two names run together',
  async () => {
    const lines = new KeyedQueue()
    const begun: string[] = []
    const [first, second, other] = [deferred(), deferred(), deferred()]
    const works = [
      lines.run('a', async () => {
        begun.push('a1')
        await first.promise
        throw new Error('failed')
      }),
      lines.run('a', async () => {
        begun.push('a2')
        await second.promise
      }),
      lines.run('b', async () => {
        begun.push('b1')
        await other.promise
      }),
    ]
    await settle()
    assert.equal(begun, ['a1', 'b1'])
    first.resolve()
    assert.is(await works[0]?.catch(String), 'Error: failed')
    await settle()
    const third = lines.run('a', async () => void begun.push('a3'))
    await settle()
    assert.equal(begun, ['a1', 'b1', 'a2'])
    second.resolve()
    await third
    assert.equal(begun, ['a1', 'b1', 'a2', 'a3'])
    other.resolve()
    await works[2]
  },
)

Line('a name without pending tasks takes no memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const heldAfter = async (count: number): Promise<number> => {
    for (let i = 0; i < count; i++) void lines.run(`${i} of ${count}`, async () => {})
    await settle()
    collect()
    return process.memoryUsage().heapUsed
  }
  const lines = new KeyedQueue()
  const before = await heldAfter(1_000)
  const after = await heldAfter(100_000)
  assert.ok(after - before < 5e6, `${after - before} bytes more`)
  await lines.run('still used', async () => {})
})

Line('the same question in one turn is asked once, for each kind of answer', () => {
  const asked: object[] = []
  const can = onceEach((event: { readonly isFine: boolean }) => {
    asked.push(event)
    return event.isFine
  })
  const [fine, wrong] = [{ isFine: true }, { isFine: false }]
  assert.equal([fine, wrong, fine, wrong].map(can), [true, false, true, false])
  assert.equal(asked, [fine, wrong])
})

Line.run()
