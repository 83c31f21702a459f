/** The suites of all tests: those of uvu, with a record of each outcome, which is compared with docs/conformance.md. @module */
import { inspect } from 'node:util'
import * as uvu from 'uvu'
import { Assertion } from 'uvu/assert'

type Callback = uvu.Callback
type Context = Parameters<Callback>[0]
type Hook = (hook: Callback) => void

/** uvu's, without `only`: one that is left in a file would hide the other tests. */
export type Suite = {
  (title: string, test: Callback): void
  skip(title: string, test?: Callback): void
  readonly before: Hook & { readonly each: Hook }
  readonly after: Hook & { readonly each: Hook }
  run(): void
}

export type TestName = {
  /** below test/, with the name of the source file */
  readonly file: string
  readonly suite: string
  readonly title: string
}

export type TestRecord = TestName & {
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** the first line of the error of a failed test: it contains a seed */
  readonly why?: string | undefined
}

/** The most characters of `why`. */
const LONGEST_WHY = 300

let current = ''
let names = new Set<string>()
/** The tests of the current file by suite and title. One without a record at the end of the file was not run. */
let tests = new Map<string, TestName & { readonly hasRecord: boolean }>()
/** A file that runs alone prints its failures at its end: uvu counts neither hooks nor tests that were not run. */
const failedAlone: string[] = []
let hear = ({ outcome, suite, title, why }: TestRecord): void => {
  if (outcome === 'failed') failedAlone.push(`failed: ${suite}: ${title}: ${why}`)
}
if (process.send === undefined)
  process.once('exit', () => {
    if (names.size > 0) endFile()
    for (const line of failedAlone) console.log(line)
    if (failedAlone.length > 0) process.exitCode = 1
  })

type BeginningListener = (test: TestName) => Promise<void> | void
let hearBeginning: BeginningListener = () => {}

/** Assigns the suites that are made from now on to this file. */
export async function beginFile(file: string): Promise<void> {
  current = file
  names = new Set()
  tests = new Map()
  await hearBeginning({ file, suite: '', title: 'the file is loaded' })
}

/** Records the failure of a file whose code throws while it is loaded. */
export function failFile(thrown: unknown): void {
  const why = firstLineOf(asError(thrown))
  hear({ file: current, suite: '', title: 'the file is loaded', outcome: 'failed', why })
}

/** Records a failure for each test of the file that was not run, because `run()` was not called or a hook threw; and for a file without a test. */
export function endFile(): void {
  const why = 'expected a result, got none: run() was not called, or a hook ended its suite'
  for (const { hasRecord, ...test } of tests.values())
    if (!hasRecord) hear({ ...test, outcome: 'failed', why })
  const empty: TestName = { file: current, suite: '', title: 'has a test' }
  if (tests.size === 0) hear({ ...empty, outcome: 'failed', why: 'expected a test, got none' })
}

/** The listener is called before every test and hook, and before a file is loaded. They wait for it. */
export function hearBeginnings(listener: BeginningListener): void {
  hearBeginning = listener
}

/** The listener gets the outcome of each test as soon as it ends. */
export function hearTests(listener: (record: TestRecord) => void): void {
  hear = listener
}

let leftOut: readonly TestName[] = []

/** Tests with these names are not run. */
export function leaveOut(tests: readonly TestName[]): void {
  leftOut = tests
}

const lines: string[] = []

/** A line that the run of all tests prints at its end, for counts that no assertion checks. A file that runs alone prints it at once. */
export function tellAtEnd(line: string): void {
  if (process.send) lines.push(line)
  else console.log(line)
}

/** @returns the lines of this process so far */
export function linesAtEnd(): readonly string[] {
  return lines
}

/** Titles of hooks: they get a record if they fail. */
const BEFORE = 'the before hook'
const AFTER = 'the after hook'

/** The records of the tests and hooks of one suite. */
class SuiteRecords {
  readonly #file = current
  readonly #name: string
  readonly beforeEach: Callback[] = []
  readonly afterEach: Callback[] = []

  constructor(name: string) {
    this.#name = name
  }

  isLeftOut(title: string): boolean {
    return leftOut.some(one => one.file === this.#file && one.suite === this.#name && one.title === title)
  }

  /** @returns false if an earlier process has run it */
  add(title: string): boolean {
    if (tests.has(this.#keyOf(title)))
      throw new Error(`${this.#file}: expected one test "${title}" in "${this.#name}", got two`)
    const hasRecord = this.isLeftOut(title)
    tests.set(this.#keyOf(title), { ...this.#test(title), hasRecord })
    return !hasRecord
  }

  record(title: string, outcome: TestRecord['outcome'], error?: Error): void {
    const key = this.#keyOf(title)
    if (tests.has(key)) tests.set(key, { ...this.#test(title), hasRecord: true })
    if (!this.isLeftOut(title)) hear({ ...this.#test(title), outcome, why: error && firstLineOf(error) })
  }

  /** A test and its hooks `each` have one record together. */
  ofTest(title: string, test: Callback): Callback {
    return async context => {
      await hearBeginning(this.#test(title))
      try {
        await this.#withHooks(test, context)
      } catch (thrown) {
        const error = asError(thrown)
        this.record(title, 'failed', error)
        throw error
      }
      this.record(title, 'passed')
    }
  }

  /** uvu ends the suite after a before hook that throws. It would end the process after such an after hook. */
  ofHook(title: string, hook: Callback): Callback {
    return async context => {
      if (this.isLeftOut(title)) return
      await hearBeginning(this.#test(title))
      try {
        await hook(context)
      } catch (thrown) {
        console.log(thrown)
        this.record(`${title} throws`, 'failed', asError(thrown))
        if (title === BEFORE) throw thrown
      }
    }
  }

  /** @throws {Error} the first one: a hook after a failed test may fail for the same reason */
  async #withHooks(test: Callback, context: Context): Promise<void> {
    let first: Error | undefined
    const attempt = async (call: Callback): Promise<void> => {
      try {
        await call(context)
      } catch (thrown) {
        first ??= asError(thrown)
      }
    }
    await attempt(async () => {
      for (const hook of this.beforeEach) await hook(context)
      await test(context)
    })
    for (const hook of this.afterEach) await attempt(hook)
    if (first) throw first
  }

  #test(title: string): TestName {
    return { file: this.#file, suite: this.#name, title }
  }

  #keyOf(title: string): string {
    return JSON.stringify([this.#name, title])
  }
}

/** Like uvu's.
 *  @throws {Error} if the file has a suite of this name already */
export function suite(name: string): Suite {
  if (names.has(name)) throw new Error(`${current}: expected one suite "${name}", got two`)
  names.add(name)
  const inner = uvu.suite(name)
  const records = new SuiteRecords(name)
  const add = (title: string, test: Callback): void => {
    if (records.add(title) && !records.isLeftOut(BEFORE)) inner(title, records.ofTest(title, test))
  }
  const skip = (title: string): void => {
    inner.skip(title)
    if (records.add(title)) records.record(title, 'skipped')
  }
  const before = (hook: Callback): void => inner.before(records.ofHook(BEFORE, hook))
  const after = (hook: Callback): void => inner.after(records.ofHook(AFTER, hook))
  return Object.assign(add, {
    skip,
    before: Object.assign(before, { each: (hook: Callback) => void records.beforeEach.push(hook) }),
    after: Object.assign(after, { each: (hook: Callback) => void records.afterEach.push(hook) }),
    run: inner.run,
  })
}

/** @returns an error that uvu can print. It reads further members of other errors than its own, and ends the suite if it cannot print them. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Assertion) return thrown
  if (!(thrown instanceof Error)) return new Error(`expected an Error to be thrown, got ${inspect(thrown)}`)
  const error = new Error(String(thrown.message))
  error.stack = String(thrown.stack)
  return error
}

function firstLineOf({ message }: Error): string {
  return String(message).split('\n', 1).join('').slice(0, LONGEST_WHY)
}
