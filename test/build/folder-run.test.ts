/** A test run that hangs, is slow, or crashes: the running test fails by its name, and the tests before and after it are counted. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { countsOf, type Report, runFolder } from '../folder-run.ts'
import { PATIENCE_MS, STALL_MS, until } from '../patience.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const SUITE = new URL(`../suite${import.meta.url.slice(-3)}`, import.meta.url)

const NOT_RUN = 'expected a result, got none: run() was not called, or a hook ended its suite'

/** The clock does not advance by itself. The run restarts its limit with every message of its process. */
function runOf(...testsOfFiles: readonly (readonly string[])[]) {
  const folder = temporaryFolder()
  const head = [
    "import { existsSync } from 'node:fs'",
    `import { suite } from ${JSON.stringify(SUITE.href)}`,
    "const Fake = suite('fake')",
    'const pause = () => new Promise(resolve => setTimeout(resolve, 10))',
    `const isThere = async name => { while (!existsSync(${JSON.stringify(folder)} + '/' + name)) await pause() }`,
  ]
  const files = testsOfFiles.map((tests, i) => {
    const file = join(folder, `fake-${i}.test.mjs`)
    writeFileSync(file, [...head, ...tests, 'Fake.run()'].join('\n'))
    return file
  })
  const clock = createSimulatedClock()
  let messages = -1
  const setTimeout: typeof clock.setTimeout = (callback, ms) => {
    messages++
    return clock.setTimeout(callback, ms)
  }
  const report = runFolder(files, { ...clock, setTimeout }, () => {})
  return {
    clock,
    report,
    told: (count: number) => until(() => messages >= count, `${count} messages`),
    put: (name: string) => writeFileSync(join(folder, name), ''),
  }
}

function shown(report: Report): unknown[] {
  const { records } = report
  const counts = countsOf(report)
  const failed = records.flatMap(({ title, outcome, why }) => (outcome === 'failed' ? [[title, why]] : []))
  return [counts.passed, counts.failed, counts.skipped, ...failed]
}

const Runs = suite('the run of a test folder')

Runs('a test that hangs fails by its name, and the tests before and after it are run once', async () => {
  const { clock, report, told } = runOf([
    "Fake('one', () => {})",
    "Fake.skip('left out')",
    "Fake('two', () => isThere('never'))",
    "Fake('three', () => {})",
  ])
  await told(5) // the file, the skipped test, the first test twice, the second test
  clock.advance(STALL_MS)
  assert.equal(shown(await report), [2, 1, 1, ['two', `no test was over for ${STALL_MS / 60_000} minutes`]])
})

Runs('the files after a file that ends the process are run', async () => {
  const { report } = runOf(['process.exit(0)'], ["Fake('one', () => {})"])
  assert.equal(shown(await report), [1, 1, 0, ['the file is loaded', 'exit 0']])
})

Runs('the run of a folder stops after the third process that ends early', async () => {
  const { report } = runOf(
    ['one', 'two', 'three', 'four'].map(title => `Fake('${title}', () => process.exit(0))`),
  )
  const { records } = await report
  assert.equal(
    records.map(({ title, outcome }) => [title, outcome]),
    ['one', 'two', 'three'].map(title => [title, 'failed']),
  )
})

Runs(
  'a run is not ended as long as one of its tests ends from time to time, even if all together take long',
  async () => {
    const { clock, report, told, put } = runOf([
      "Fake('one', () => isThere('first'))",
      "Fake('two', () => isThere('second'))",
    ])
    await told(2)
    clock.advance(STALL_MS - 1)
    put('first')
    await told(4)
    clock.advance(STALL_MS - 1)
    put('second')
    assert.equal(shown(await report), [2, 0, 0])
  },
)

Runs('a test that ends the process fails by its name, and the tests around it are counted', async () => {
  const { report } = runOf([
    "Fake('one', () => {})",
    "Fake('two', () => process.exit(0))",
    "Fake('three', () => {})",
  ])
  assert.equal(shown(await report), [2, 1, 0, ['two', 'exit 0']])
})

Runs('a process that keeps running after its tests is ended, and counts as a failure', async () => {
  const { clock, report, told } = runOf(["Fake('one', () => void setInterval(() => {}, 1_000))"])
  await told(4)
  clock.advance(STALL_MS)
  assert.equal(shown(await report), [
    1,
    1,
    0,
    ['the process ends', 'tests are over, but something keeps the process alive'],
  ])
})

Runs('a process whose output is held open by another process ends, and counts as a failure', async () => {
  const { clock, report, told, put } = runOf([
    "import { spawn } from 'node:child_process'",
    "const script = 'until test -e ended; do sleep 0.1; done'",
    "const options = { stdio: 'inherit', detached: true, cwd: import.meta.dirname }",
    "Fake('one', () => spawn('sh', ['-c', script], options).unref())",
  ])
  await told(5) // the file, the test twice, the end of the tests, the end of the process
  clock.advance(PATIENCE_MS)
  const held = 'the process has ended, but a process that it started holds its output open'
  assert.equal(shown(await report), [1, 1, 0, ['the process ends', held]])
  put('ended')
})

Runs(
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

Runs('a hook that throws costs no test of another suite, and is counted once', async () => {
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

Runs('a hook that ends the process is run once, and costs only its suite', async () => {
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

Runs('a hook before or after each test fails the test that it belongs to', async () => {
  const { report } = runOf([
    'let count = 0',
    "Fake.before.each(() => { if (++count === 1) throw new Error('no fixture') })",
    "Fake.after.each(() => { if (count === 2) throw new Error('not closed') })",
    ...['one', 'two', 'three'].map(title => `Fake('${title}', () => {})`),
  ])
  assert.equal(shown(await report), [1, 2, 0, ['one', 'no fixture'], ['two', 'not closed']])
})

Runs('the tests after a test that throws something other than an error are run', async () => {
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

Runs('a test whose suite is not run fails, also beside a suite that is', async () => {
  const { report } = runOf([
    "suite('not run')('one', () => {})",
    "const Late = suite('late')",
    'Late.run()',
    "Late('two', () => {})",
    "Fake('three', () => {})",
  ])
  assert.equal(shown(await report), [1, 2, 0, ['one', NOT_RUN], ['two', NOT_RUN]])
})

Runs('two tests of one title, and two suites of one name, are an error of their file', async () => {
  const { report } = runOf(
    ["Fake('one', () => process.exit(0))", "Fake('one', () => {})"],
    ["const Second = suite('fake')", "Second('two', () => {})", 'Second.run()'],
    ["Fake('three', () => {})"],
  )
  assert.equal(shown(await report), [
    1,
    2,
    0,
    ['the file is loaded', 'exit 1'],
    ['the file is loaded', 'exit 1'],
  ])
})

Runs.run()
