/** The parts of the fuzzer: kept inputs, smaller inputs, and random numbers by a seed. */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { keep, keptInputs } from './corpus.ts'
import { minimised } from './minimise.ts'
import { randomOf } from './random.ts'
import type { Input } from './target.ts'
import { UsualTime } from './usual-time.ts'

const Parts = suite('parts of the fuzzer')

Parts('a kept input is read as it was written, and the same input is kept once', () => {
  const folder = temporaryFolder()
  const kept = { target: 'a b', why: 'c', input: { path: '/', headers: { x: '\0\ud800é' } } }
  assert.is(keep(kept, folder), keep(kept, folder))
  assert.equal(
    keptInputs(folder).map(({ target, why, input }) => ({ target, why, input })),
    [kept],
  )
})

Parts('an input is made as small as possible while it still shows the fault', async () => {
  const shows = (part: string) => async (input: Input) => JSON.stringify(input).includes(part)
  assert.is(await minimised(`${'x'.repeat(999)}fault${'y'.repeat(500)}`, shows('fault')), 'fault')
  const call = { method: 'POST', path: '/a/fault', headers: { b: 'c' }, body: 'd' }
  assert.equal(await minimised(call, shows('fault')), { path: 'fault' })
})

Parts('the number of tries for one input is bounded', async () => {
  let tries = 0
  await minimised('x'.repeat(5_000), async () => {
    tries += 1
    return false
  })
  assert.ok(tries <= 1_000)
})

Parts('the numbers follow from the seed and the number of the input', () => {
  const first = (seed: number, number: number): number[] => {
    const random = randomOf(seed, number)
    return Array.from({ length: 5 }, () => random.int(1_000))
  }
  assert.equal(first(1, 2), first(1, 2))
  assert.not.equal(first(1, 2), first(2, 1))
  assert.not.equal(first(1, 2), first(1, 3))
})

Parts('a call is slow if it takes 50 times the usual time of inputs of its size', () => {
  const usual = new UsualTime()
  for (let i = 0; i < 60; i++) assert.is(usual.note('a', 10, 1), null)
  assert.is(usual.note('a', 10, 45), null)
  assert.is(usual.note('a', 10, 60), 1)
  assert.is(usual.note('a', 100_000, 60), null, 'no usual time of this size is known')
  assert.is(usual.note('b', 10, 60), null)
})

Parts.run()
