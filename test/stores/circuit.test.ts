/** Calls to a store that is gone: one at a time reaches it, the others fail at once, and the first answer lets all through again. @module */
import * as assert from 'uvu/assert'
import { Circuit } from '../../stores/circuit.ts'
import { StoreError } from '../../stores/store-error.ts'
import { deferred, settle } from '../actors/node.ts'
import { suite } from '../suite.ts'

const Gone = suite('a store that is gone')
const GONE = new Error('no answer')
const isGone = (error: unknown): boolean => error === GONE

function circuit() {
  const made = new Circuit('here')
  const asked = { times: 0 }
  const call = async (answer: () => Promise<string>): Promise<string> => {
    const work = (): Promise<string> => {
      asked.times += 1
      return answer()
    }
    return made.run(work, isGone).catch(error => (error instanceof StoreError ? 'at once' : String(error)))
  }
  const fail = () => call(() => Promise.reject(GONE))
  return { made, asked, call, fail }
}

Gone('after four calls in a row without an answer, later calls still reach the store', async () => {
  const { call, fail, asked } = circuit()
  for (let i = 0; i < 4; i++) assert.is(await fail(), 'Error: no answer')
  assert.equal(await Promise.all([1, 2, 3].map(() => call(async () => 'x'))), ['x', 'x', 'x'])
  assert.is(asked.times, 7)
})

Gone(
  'after five, one call reaches the store, and all others fail at once until that call is answered',
  async () => {
    const { made, call, fail, asked } = circuit()
    for (let i = 0; i < 5; i++) {
      assert.not(made.isOpen)
      await fail()
    }
    assert.ok(made.isOpen)
    const gate = deferred()
    const one = call(() => gate.promise.then(() => 'x'))
    assert.equal(await Promise.all([1, 2, 3].map(() => call(async () => 'y'))), Array(3).fill('at once'))
    assert.is(asked.times, 6)
    gate.resolve()
    assert.is(await one, 'x')
    assert.equal(await Promise.all([1, 2, 3].map(() => call(async () => 'z'))), ['z', 'z', 'z'])
  },
)

Gone('if that call gets no answer, the next one reaches the store', async () => {
  const { call, fail } = circuit()
  for (let i = 0; i < 9; i++) assert.is(await fail(), 'Error: no answer')
  assert.is(await call(async () => 'x'), 'x')
})

Gone('an error of the store is an answer, and resets the count', async () => {
  const { call, fail } = circuit()
  for (let i = 0; i < 4; i++) await fail()
  assert.is(await call(() => Promise.reject(new Error('a bad statement'))), 'Error: a bad statement')
  for (let i = 0; i < 4; i++) await fail()
  assert.equal(await Promise.all([1, 2].map(() => call(async () => 'x'))), ['x', 'x'])
})

Gone('at most 10,000 calls wait', async () => {
  const { call, asked } = circuit()
  const gate = deferred()
  const waiting = Array.from({ length: 10_000 }, () => call(() => gate.promise.then(() => 'x')))
  await settle()
  assert.is(await call(async () => 'y'), 'at once')
  assert.is(asked.times, 10_000)
  gate.resolve()
  await Promise.all(waiting)
  assert.is(await call(async () => 'y'), 'y')
})

Gone.run()
