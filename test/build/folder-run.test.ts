/** A test run that hangs, is slow, or crashes: the running test fails by its name, and the tests before and after it are counted. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { type Report, runFolder } from '../folder-run.ts'
import { STALL_MS, until } from '../patience.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const SUITE = new URL(`../suite${import.meta.url.slice(-3)}`, import.meta.url)

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

function shown({ counts, records }: Report): unknown[] {
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
  const { counts, records } = await report
  assert.equal(
    [counts.passed, counts.failed, records.map(({ title }) => title)],
    [0, 3, ['one', 'two', 'three']],
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
  const { counts, lines } = await report
  assert.equal([counts.passed, counts.failed, lines.length], [1, 1, 1])
  assert.match(lines[0] ?? '', /tests are over, but something keeps the process alive$/)
})

Runs.run()
