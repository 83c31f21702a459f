/** Runs the test files of one folder in a separate process, which reports every test as soon as it ends. So the counts are kept if the run is stopped or crashes.
 *  Each failure has a record, and the counts are those of the records. @module */
import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { dirname, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type Clock, createSystemClock } from '../ports/clock.ts'
import { PATIENCE_MS, STALL_MS } from './patience.ts'
import { missingHere } from './project.ts'
import type { TestName, TestRecord } from './suite.ts'

const STALLED = `no test was over for ${STALL_MS / 60_000} minutes`
const LEFT_OVER = 'tests are over, but something keeps the process alive'
const HELD = 'but a process that it started holds its output open'

export type Counts = { passed: number; failed: number; skipped: number }
/** The report of a process after its last test. */
type End = { readonly missing: readonly string[]; readonly lines: readonly string[] }
export type Report = End & { readonly records: readonly TestRecord[] }
type SuiteRun = () => Promise<[errors: string | true, ...counts: number[]]>
type Message =
  | { readonly type: 'begins'; readonly test: TestName }
  | { readonly type: 'over'; readonly record: TestRecord }
  | { readonly type: 'end'; readonly end: End }
const NO_TEST: TestName = { file: '', suite: '', title: 'the process starts' }

const root = dirname(fileURLToPath(import.meta.url))
const PROGRAM = fileURLToPath(new URL(`./run${import.meta.url.slice(-3)}`, import.meta.url))

export function sourceOf(file: string): string {
  return file.replace(/\.js$/, '.ts')
}

/** The process of a folder is started again after the test that broke it. A folder in which every test hangs would take hours, so this is the limit. */
const MAX_BROKEN = 3

const CLEAN = 'exit 0'

/** The output of a process that is kept, in characters. */
const MAX_OUTPUT = 4_000_000

/** The random seed of tests, the same for all processes: titles may contain it. */
process.env.RUN_SEED ??= String(randomInt(2 ** 31))

/** Does the work of the process of a folder. Its parent sends the work, which is too long for an argument. */
export async function runHere(): Promise<void> {
  const [work] = await once(process, 'message')
  const { files, over } = restSchema.parse(work)
  const queue: SuiteRun[][] = []
  Object.assign(globalThis, { UVU_DEFER: 1, UVU_QUEUE: queue })
  const tests = await import('./suite.ts') // uvu reads these globals when it is loaded
  const end = (): never => process.exit(1)
  process.on('disconnect', end) // the run of all tests was stopped
  tests.leaveOut(over)
  tests.hearBeginnings(test => tell({ type: 'begins', test }))
  tests.hearTests(record => void tell({ type: 'over', record }))
  for (const [index, file] of files.entries()) {
    Object.assign(globalThis, { UVU_INDEX: index })
    const suites: SuiteRun[] = []
    queue.push(suites)
    await tests.beginFile(sourceOf(file))
    try {
      await import(resolve(root, file))
    } catch (error) {
      console.log(error)
      tests.failFile(error)
      continue
    }
    for (const run of suites) {
      const [errors] = await run()
      if (errors !== true) console.log(errors)
    }
    tests.endFile()
    await setImmediate() // an error that a test left behind ends the process before the next file begins
  }
  await tell({ type: 'end', end: { missing: missingHere(), lines: tests.linesAtEnd() } })
  process.off('disconnect', end).disconnect()
}

/** Resolves when the parent has the message: `process.exit()` loses messages that are not sent. */
function tell(message: Message): Promise<void> {
  return new Promise(sent => process.send?.(message, () => sent()))
}

const restSchema = z.object({
  files: z.array(z.string()).readonly(),
  over: z.array(z.object({ file: z.string(), suite: z.string(), title: z.string() })).readonly(),
})
/** The work of a process: at first all files of a folder, later the tests that a broken process has left. */
type Rest = z.output<typeof restSchema>
type Ended = { readonly report: Report; readonly rest: Rest | null }

/** The reports of the process of a folder so far. */
class Progress {
  readonly #records: TestRecord[] = []
  #running = NO_TEST
  end: End | undefined

  /** @returns true if its tests have ended */
  take(message: Message): boolean {
    if (message.type === 'end') this.end = message.end
    else if (message.type === 'begins') this.#running = message.test
    else this.#records.push(message.record)
    return this.end !== undefined
  }

  /** @param exit how the process has ended
   *  @returns the results, with a failure of the test that was running, or of the end of the process */
  report(folder: string, exit: string): Report {
    const failed = (test: TestName): TestRecord => ({ ...test, outcome: 'failed', why: exit })
    const records = [...this.#records]
    if (!this.end) {
      const isOver = records.some(record => isSame(this.#running, record))
      const { title } = this.#running
      records.push(failed(isOver ? { ...this.#running, title: `after "${title}"` } : this.#running))
    } else if (exit !== CLEAN) records.push(failed({ file: folder, suite: '', title: 'the process ends' }))
    return { records, missing: this.end?.missing ?? [], lines: this.end?.lines ?? [] }
  }

  /** @returns the tests after the one that was running; null if there are none, or if no test has begun. A file that was not the first one is loaded again: the
   *  end of its process may come from the file before it. */
  rest({ files, over }: Rest): Rest | null {
    const { file, suite } = this.#running
    const at = files.findIndex(name => sourceOf(name) === file)
    const isLoading = suite === ''
    const left = files.slice(isLoading && at === 0 ? 1 : at)
    if (at < 0 || left.length === 0) return null
    return { files: left, over: [...over, ...this.#records, ...(isLoading ? [] : [this.#running])] }
  }
}

function isSame(a: TestName, b: TestName): boolean {
  return a.file === b.file && a.suite === b.suite && a.title === b.title
}

/** Runs the files of one folder, and prints their results. A process that crashes or hangs costs the test that was running. Another process runs the tests after it.
 *  @param clock of the system, or of a test */
export async function runFolder(
  files: readonly string[],
  clock: Clock = createSystemClock({ keepsAlive: true }),
  print: (text: string) => void = console.log,
): Promise<Report> {
  const folder = dirname(files[0] ?? '')
  const beganAt = performance.now()
  print(`begins ${folder}, files: ${files.length}`)
  const reports: Report[] = []
  for (let rest: Rest | null = { files, over: [] }; rest; ) {
    const ended: Ended = await runProcess(rest, folder, clock, print)
    reports.push(ended.report)
    rest = ended.rest
    if (rest && reports.length === MAX_BROKEN) {
      print(`${folder}: not run after ${MAX_BROKEN} broken processes: the rest of ${rest.files.join(', ')}`)
      rest = null
    }
  }
  const report = sumOf(reports)
  const { passed, failed } = countsOf(report)
  const took = `${Math.round((performance.now() - beganAt) / 1_000)} s`
  print(`${failed ? 'FAIL' : 'ok'} ${folder} ${passed}, ${took}`)
  return report
}

/** Kills a process in which no test has ended for long. */
function runProcess(work: Rest, folder: string, clock: Clock, print: (text: string) => void): Promise<Ended> {
  const progress = new Progress()
  return new Promise(done => {
    const child = fork(PROGRAM, ['--batch'], {
      execArgv: [...process.execArgv, '--enable-source-maps'],
      silent: true,
    })
    child.send(work)
    let output = ''
    let ended = ''
    const keep = (chunk: unknown): void => {
      output += chunk
      if (output.length > 2 * MAX_OUTPUT) output = output.slice(-MAX_OUTPUT)
    }
    const endAfter = (ms: number, why: string) =>
      clock.setTimeout(() => {
        ended = why
        child.kill('SIGKILL')
        child.stdout?.destroy() // a process that the tests started may hold them open
        child.stderr?.destroy()
      }, ms)
    let overdue = endAfter(STALL_MS, STALLED)
    const restart = (ms: number, why: string): void => {
      clock.clearTimeout(overdue)
      overdue = endAfter(ms, why)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.on('message', message => {
      const isOver = progress.take(message as Message) // the child runs this program too
      if (isOver) restart(PATIENCE_MS, LEFT_OVER)
      else restart(STALL_MS, STALLED)
    })
    child.on('exit', (code, signal) => {
      if (ended === '') restart(PATIENCE_MS, `exit ${code ?? signal}, ${HELD}`)
    })
    child.on('close', (code, signal) => {
      clock.clearTimeout(overdue)
      const exit = ended === '' ? `exit ${code ?? signal}` : ended
      const report = progress.report(folder, exit)
      if (report.records.some(isFailed)) print(`${output}\n${exit}`)
      done({ report, rest: progress.end ? null : progress.rest(work) })
    })
  })
}

function isFailed({ outcome }: TestRecord): boolean {
  return outcome === 'failed'
}

export function countsOf({ records }: Report): Counts {
  const count = (wanted: TestRecord['outcome']): number =>
    records.filter(({ outcome }) => outcome === wanted).length
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}

/** @returns one report of several processes */
export function sumOf(reports: readonly Report[]): Report {
  return {
    records: reports.flatMap(({ records }) => records),
    missing: [...new Set(reports.flatMap(({ missing }) => missing))],
    lines: reports.flatMap(({ lines }) => lines),
  }
}
