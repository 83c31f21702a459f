/** The tests that are tried against a mutant, and their order. */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { type Baseline, placesOf, watchedText } from './baseline.ts'
import { Killers } from './known-killers.ts'
import { distanceOf, nearTests } from './near.ts'
import { testsFor } from './try-mutants.ts'

const TestsNear = suite('tests that are near a mutant')

const MUTANT = { file: 'http/app/call.js', site: { start: 1, end: 9 } }
const CONSTANT = { file: 'http/app/call.js', site: null }
const HERE = 'http/app/call.js:1-9'
const TESTS = ['actors/far.test.js', 'http/slow.test.js', 'http/quick.test.js', 'paths/late.test.js']

function baseline(
  tests: Readonly<Record<string, readonly [ms: number, reached: string, failure?: string]>>,
): Baseline {
  return new Map(
    Object.entries(tests).map(([test, [ms, reached, failure = null]]) => [
      test,
      { hash: '', ms, failure, reached: [reached] },
    ]),
  )
}

const ALL_REACH = baseline({
  'actors/far.test.js': [1, HERE],
  'http/slow.test.js': [900, HERE],
  'http/quick.test.js': [100, HERE],
  'paths/late.test.js': [10, HERE],
})

TestsNear('the nearest tests come first, of these the quickest; tests of other rooms are not near', () => {
  assert.equal(testsFor(MUTANT, TESTS, ALL_REACH, new Killers({}), 5_000), [
    'http/quick.test.js',
    'http/slow.test.js',
    'paths/late.test.js',
  ])
})

TestsNear('a test with the name of the file comes first', () => {
  const named = { ...MUTANT, file: 'http/slow.js' }
  const reached = { ms: 9, hash: '', failure: null, reached: ['http/slow.js:1-9'] }
  const tests = new Map(TESTS.map(test => [test, reached]))
  assert.is(testsFor(named, TESTS, tests, new Killers({}), 5_000)[0], 'http/slow.test.js')
})

TestsNear('tests that do not reach the place, or fail by themselves, are not tried', () => {
  const some = baseline({
    'http/slow.test.js': [1, 'http/app/call.js:30-40'],
    'http/quick.test.js': [1, HERE, 'it fails'],
    'paths/late.test.js': [1, HERE],
  })
  const tests = TESTS.slice(1)
  assert.equal(testsFor(MUTANT, tests, some, new Killers({}), 5_000), ['paths/late.test.js'])
  const isAnywhere = { ...MUTANT, site: null }
  const expected = ['http/slow.test.js', 'paths/late.test.js']
  assert.equal(testsFor(isAnywhere, tests, some, new Killers({}), 5_000), expected)
})

TestsNear('every test that loads a file of constants reaches that file', () => {
  const some = baseline({
    'http/slow.test.js': [1, 'http/app/call.js:loaded'],
    'http/quick.test.js': [1, 'http/app/other.js:loaded'],
  })
  const tests = ['http/slow.test.js', 'http/quick.test.js']
  assert.equal(testsFor(CONSTANT, tests, some, new Killers({}), 5_000), ['http/slow.test.js'])
})

TestsNear('tests may be near a source whose folder has another name', () => {
  assert.is(distanceOf('http/openapi/document.js', 'openapi/recorded.test.js'), 1)
  assert.ok(nearTests().includes('openapi/recorded.test.js'))
  const inspected = 'server/keyshare/inspector-secrets.test.js'
  assert.ok(distanceOf('actors/accounts/create-accounts.js', inspected) < Number.POSITIVE_INFINITY)
})

TestsNear('for a part of the program only the tests near that part are run', () => {
  const near = nearTests(['crypto/signature.js', 'sessions/result.js'])
  assert.ok(near.includes('crypto/signature.test.js'))
  assert.ok(near.includes('http/results.test.js'))
  assert.not(near.includes('server/settings.test.js'))
})

TestsNear('a file of constants is watched as a whole: it records that it is loaded', () => {
  const places = placesOf([{ ...CONSTANT, name: '', group: '', line: null, edits: [] }])
  assert.equal([...places.keys()], [CONSTANT.file])
  const text = watchedText(CONSTANT.file, 'export const MAX = 1', new Map())
  assert.match(text, /__reached\("http\/app\/call\.js:loaded"\);\nexport const MAX = 1$/)
})

TestsNear('tests that killed mutants of the file come first, and the total time is limited', () => {
  const killers = new Killers({ 'http/app/call.js': ['paths/late.test.js'] })
  assert.equal(testsFor(MUTANT, TESTS, ALL_REACH, killers, 950), ['paths/late.test.js', 'http/quick.test.js'])
})

TestsNear(
  'without a baseline the tests that killed mutants of the file are tried, or else all near tests',
  () => {
    const killers = new Killers({})
    assert.equal(testsFor(MUTANT, TESTS, null, killers, 1), [
      'http/slow.test.js',
      'http/quick.test.js',
      'paths/late.test.js',
    ])
    killers.noteFailure('http/app/call.js', 'http/slow.test.ts: a rule')
    killers.noteFailure('http/app/call.js', 'http/quick.test.js: a rule')
    killers.noteFailure('http/app/call.js', 'http/quick.test.js: another rule')
    killers.noteFailure('http/app/call.js', 'no test ended for a while')
    assert.equal(testsFor(MUTANT, TESTS, null, killers, 1), ['http/quick.test.js'])
    assert.equal(killers.listed(), { 'http/app/call.js': ['http/quick.test.js', 'http/slow.test.ts'] })
  },
)

TestsNear.run()
