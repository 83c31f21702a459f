/** The judgement of measured figures, on invented figures. */
import * as assert from 'uvu/assert'
import { benchesToCompare, compareWith, readExpected } from '../../tools/bench/guard/expected.ts'
import { figureOf } from '../../tools/bench/guard/figures.ts'
import { benchesOf, judge, LIMITS } from '../../tools/bench/guard/limits.ts'
import { sourcesOf } from '../architecture/imports.ts'
import { suite } from '../suite.ts'

const Guard = suite('the guard of the benchmarks')

const EXPECTED = { margin: 0.1, ratios: { 'proofs.ratio': { '20': 2, '24': 3 } } }
const printing = (ratio: unknown) => new Map([['proofs', { ratio }]])
const isOk = (ratio: unknown, node: number) =>
  compareWith(EXPECTED, printing(ratio), node).map(({ ok }) => ok)

Guard('a ratio within the margin passes; a ratio outside it, and one that was not measured, fails', () => {
  assert.equal(isOk(2.19, 20), [true])
  assert.equal(isOk(2.21, 20), [false])
  assert.equal(isOk(2.21, 24), [true])
  assert.equal(isOk(undefined, 20), [false])
  assert.equal(isOk('2', 20), [false])
  assert.equal(compareWith(EXPECTED, new Map([['proofs', null]]), 20)[0]?.ok, false)
})

Guard('the expected ratios of another version of Node are not compared', () => {
  assert.equal(benchesToCompare(EXPECTED, 22), [])
  assert.equal(isOk(9, 22), [])
})

Guard('a figure equal to its limit passes; on Node 20 a limit of Node 20 replaces the general one', () => {
  const limit = { what: 'a check', figure: 'proofs.ratio', most: 1.6, mostOnNode20: 1.8 }
  const kept = (ratio: unknown, node: number) => judge([limit], printing(ratio), node).map(({ ok }) => ok)
  assert.equal([kept(1.6, 24), kept(1.61, 24), kept(1.8, 20), kept(1.81, 20)].flat(), [
    true,
    false,
    true,
    false,
  ])
  assert.equal(kept(undefined, 24), [false])
})

Guard('a figure is found by its path, and only as a number', () => {
  const printed = new Map([['issuance', { session: { ratio: 1.5, text: '1.5', not: Number.NaN } }]])
  assert.is(figureOf(printed, 'issuance.session.ratio'), 1.5)
  for (const path of ['text', 'not', 'none', 'ratio.more', 'toString'])
    assert.is(figureOf(printed, `issuance.session.${path}`), null)
  assert.is(figureOf(printed, 'proofs.ratio'), null)
})

Guard('every limit and every expected ratio belongs to a benchmark that exists', () => {
  const expected = readExpected()
  const named = [...benchesOf(LIMITS), ...benchesToCompare(expected, 20), ...benchesToCompare(expected, 24)]
  const files = sourcesOf('tools/bench')
  assert.equal(
    named.filter(name => !files.includes(`tools/bench/${name}.ts`)),
    [],
  )
})

Guard.run()
