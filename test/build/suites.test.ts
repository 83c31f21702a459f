/** Each failure of a test, a hook or a suite has one record, and costs no other test. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { NOT_RUN, runOf, SUITE, shown } from './fake-run.ts'

const Suites = suite('the failures of a suite')

Suites(
  'the failures of hooks and of files without a test are counted once, also if the process ends early',
  async () => {
    const { report } = runOf(
      ["Fake.before(() => { throw new Error('no fixture') })", "Fake('one', () => {})"],
      ["Fake('two', () => {})", 'Fake.after(() => { throw undefined })'],
      [],
      ["Fake('three', () => {})", "Fake('four', () => process.exit(0))", "Fake('five', () => {})"],
    )
    assert.equal(shown(await report), [
      3,
      5,
      0,
      ['the before hook throws', 'no fixture'],
      ['one', NOT_RUN],
      ['the after hook throws', 'expected an Error to be thrown, got undefined'],
      ['has a test', 'expected a test, got none'],
      ['four', 'exit 0'],
    ])
  },
)

Suites('a hook that throws costs no test of another suite, and is counted once', async () => {
  const { report } = runOf([
    "Fake('one', () => {})",
    "Fake.after(() => { throw new Error('closed already') })",
    "const Next = suite('next')",
    "Next('two', () => process.exit(0))",
    "Next('three', () => {})",
    'Fake.run()',
    'Next.run()',
  ])
  assert.equal(shown(await report), [2, 2, 0, ['the after hook throws', 'closed already'], ['two', 'exit 0']])
})

Suites('a hook that ends the process is run once, and costs only its suite', async () => {
  const { report } = runOf(
    ['Fake.before(() => process.exit(0))', "Fake('one', () => {})"],
    ['Fake.after(() => process.exit(0))', "Fake('two', () => {})"],
    ["Fake('three', () => {})"],
  )
  assert.equal(shown(await report), [
    2,
    3,
    0,
    ['the before hook', 'exit 0'],
    ['one', NOT_RUN],
    ['the after hook', 'exit 0'],
  ])
})

Suites('a hook before or after each test fails the test that it belongs to', async () => {
  const { report } = runOf([
    'let count = 0',
    "Fake.before.each(() => { if (++count === 1) throw new Error('no fixture') })",
    "Fake.after.each(() => { if (count === 2) throw new Error('not closed') })",
    ...['one', 'two', 'three'].map(title => `Fake('${title}', () => {})`),
  ])
  assert.equal(shown(await report), [1, 2, 0, ['one', 'no fixture'], ['two', 'not closed']])
})

Suites('the tests after a test that throws something other than an error are run', async () => {
  const { report } = runOf([
    "Fake('one', () => { throw undefined })",
    "Fake('two', () => { throw { reason: 'none' } })",
    "Fake('three', () => {})",
  ])
  const expected = 'expected an Error to be thrown, got'
  assert.equal(shown(await report), [
    1,
    2,
    0,
    ['one', `${expected} undefined`],
    ['two', `${expected} { reason: 'none' }`],
  ])
})

Suites('a test whose suite is not run fails, also beside a suite that is', async () => {
  const { report } = runOf([
    "suite('not run')('one', () => {})",
    "const Late = suite('late')",
    'Late.run()',
    "Late('two', () => {})",
    "Fake('three', () => {})",
  ])
  assert.equal(shown(await report), [1, 2, 0, ['one', NOT_RUN], ['two', NOT_RUN]])
})

Suites('a failed test has its own error, not that of a hook after it', async () => {
  const { report } = runOf([
    "Fake.after.each(() => { throw new Error('nothing to close') })",
    "Fake('one', () => { throw new Error('not opened') })",
  ])
  assert.equal(shown(await report), [0, 1, 0, ['one', 'not opened']])
})

const ALONE: Readonly<Record<string, readonly [status: number, line: RegExp, ...tests: readonly string[]]>> =
  {
    'a before hook that throws': [
      1,
      /failed: fake: the before hook throws: no$/m,
      "Fake.before(() => { throw new Error('no') })",
      "Fake('one', () => {})",
      'Fake.run()',
    ],
    'an after hook that throws': [
      1,
      /failed: fake: the after hook throws: no$/m,
      "Fake.after(() => { throw new Error('no') })",
      "Fake('one', () => {})",
      'Fake.run()',
    ],
    'a suite without run()': [1, /failed: fake: one: expected a result, got none/, "Fake('one', () => {})"],
    'a test that passes': [0, /Passed:\s+1/, "Fake('one', () => {})", 'Fake.run()'],
  }
for (const [what, [status, line, ...tests]] of Object.entries(ALONE))
  Suites(`a file that runs alone ends with ${status} after ${what}`, () => {
    const file = join(temporaryFolder(), 'alone.test.mjs')
    const head = [`import { suite } from ${JSON.stringify(SUITE.href)}`, "const Fake = suite('fake')"]
    writeFileSync(file, [...head, ...tests].join('\n'))
    const ended = spawnSync(process.execPath, [file], { encoding: 'utf8' })
    assert.is(ended.status, status, ended.stdout)
    assert.match(ended.stdout, line)
  })

Suites('two tests of one title, and two suites of one name, are an error of their file', async () => {
  const { report } = runOf(
    ["Fake('one', () => process.exit(0))", "Fake('one', () => {})"],
    ["const Second = suite('fake')", "Second('two', () => {})", 'Second.run()'],
    ["Fake('three', () => {})"],
  )
  const [passed, failed, , first, second] = shown(await report)
  assert.equal([passed, failed], [1, 2])
  assert.match(String(first), /the file is loaded,.*: expected one test "one" in "fake", got two/)
  assert.match(String(second), /the file is loaded,.*: expected one suite "fake", got two/)
})

Suites.run()
