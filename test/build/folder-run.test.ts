/** A test run that hangs, is slow, or crashes: the running test fails by its name, and the tests before and after it are counted. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PATIENCE_MS, STALL_MS, until } from '../patience.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { NUMBERS, RUN, runOf, SUITE, shown } from './fake-run.ts'

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
  const held = 'exit 0, but a process that it started holds its output open'
  const ended = await report
  put('ended')
  assert.equal(shown(ended), [1, 1, 0, ['the process ends', held]])
})

Runs('an error that a test leaves behind costs no test of the next file', async () => {
  const { report } = runOf(
    ["Fake('one', () => void Promise.reject(new Error('late')))"],
    ["Fake('two', () => {})"],
  )
  assert.equal(shown(await report), [2, 1, 0, ['after "one"', 'exit 1']])
})

Runs('a file is loaded again if the process ends while it loads its second file', async () => {
  const { report } = runOf(
    ["Fake('one', () => {})"],
    [
      "import { writeFileSync } from 'node:fs'",
      "const mark = import.meta.dirname + '/mark'",
      "if (!existsSync(mark)) process.exit(writeFileSync(mark, ''))",
      "Fake('two', () => {})",
    ],
  )
  assert.equal(shown(await report), [2, 1, 0, ['the file is loaded', 'exit 0']])
})

Runs('a file that throws while it is loaded fails with its error, and costs no process', async () => {
  const throwing = ["throw new Error('no tool')"]
  const { report } = runOf(throwing, throwing, throwing, ["Fake('one', () => {})"])
  const failure = ['the file is loaded', 'no tool']
  assert.equal(shown(await report), [1, 3, 0, failure, failure, failure])
})

Runs('a test that ends the process is named, also after many tests with long titles', async () => {
  const many = "for (let i = 0; i < 400; i++) Fake('x'.repeat(400) + i, () => {})"
  const { report } = runOf([many], [many, "Fake('two', () => process.exit(0))", "Fake('three', () => {})"])
  assert.equal(shown(await report), [801, 1, 0, ['two', 'exit 0']])
})

Runs('all processes of a run have the same random seed, because titles contain it', async () => {
  const { report } = runOf([
    `const { seedGiven } = await import(${JSON.stringify(NUMBERS.href)})`,
    "Fake('one with seed ' + seedGiven('SEED_OF_FAKE', 2 ** 31), () => {})",
    "Fake('two', () => process.exit(0))",
  ])
  assert.equal(shown(await report), [1, 1, 0, ['two', 'exit 0']])
})

Runs('an end of the process with another exit code is a failure, also beside failed tests', async () => {
  const { report } = runOf(["Fake('one', () => { process.exitCode = 3; throw new Error('no') })"])
  assert.equal(shown(await report), [0, 2, 0, ['one', 'no'], ['the process ends', 'exit 3']])
})

Runs('the end of a long output is kept', async () => {
  const { report, printed } = runOf([
    "Fake('one', () => { for (let i = 0; i < 3_000; i++) console.log('x'.repeat(10_000)); throw new Error('no') })",
  ])
  assert.equal(shown(await report), [0, 1, 0, ['one', 'no']])
  const all = printed.join('\n')
  assert.ok(all.length < 10_000_000)
  assert.match(all.slice(-1_000), /FAIL/)
})

Runs('the process of a folder ends if the run of all tests is killed', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'hangs.test.mjs')
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs'
import { suite } from ${JSON.stringify(SUITE.href)}
const Fake = suite('fake')
Fake('one', () => new Promise(() => {
  setInterval(() => {}, 1_000)
  writeFileSync(import.meta.dirname + '/pid', String(process.pid))
}))
Fake.run()`,
  )
  const all = join(folder, 'all.mjs')
  const runs = [
    `import { runFolder } from ${JSON.stringify(RUN.href)}`,
    `runFolder([${JSON.stringify(file)}])`,
  ]
  writeFileSync(all, runs.join('\n'))
  const parent = spawn(process.execPath, [...process.execArgv, all], { stdio: 'ignore' })
  const pid = (): number => (existsSync(join(folder, 'pid')) ? Number(readFileSync(join(folder, 'pid'))) : 0)
  await until(() => pid() > 0, 'the test to begin')
  parent.kill('SIGKILL')
  await until(() => !existsSync(`/proc/${pid()}`), 'the end of the process')
})

Runs.run()
