/** The suites of all tests: those of uvu, with a record of each outcome, which is compared with docs/conformance.md. @module */
import * as uvu from 'uvu'

export type Suite = uvu.Test

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

const records: TestRecord[] = []
let current = ''
let hear: (record: TestRecord) => void = () => {}
let hearBeginning: (test: TestName) => void = () => {}

/** Assigns the suites that are made from now on to this file. */
export function beginFile(file: string): void {
  current = file
  hearBeginning({ file, suite: '', title: 'the file is loaded' })
}

/** The listener is called before every test, and before a file is loaded. */
export function hearBeginnings(listener: (test: TestName) => void): void {
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

/** @returns the records of this process so far */
export function recordedTests(): readonly TestRecord[] {
  return records
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

/** Like uvu's. A test that a failing hook skips leaves no record. */
export function suite(name: string): Suite {
  const file = current
  const inner = uvu.suite(name)
  const record = (title: string, outcome: TestRecord['outcome'], why?: string): void => {
    const recorded = { file, suite: name, title, outcome, why }
    records.push(recorded)
    hear(recorded)
  }
  const recorded =
    (title: string, test: uvu.Callback): uvu.Callback =>
    async context => {
      hearBeginning({ file, suite: name, title })
      try {
        await test(context)
      } catch (error) {
        record(title, 'failed', firstLineOf(error))
        throw error
      }
      record(title, 'passed')
    }
  const isLeftOut = (title: string): boolean =>
    leftOut.some(one => one.file === file && one.suite === name && one.title === title)
  const add = (title: string, test: uvu.Callback): void => {
    if (!isLeftOut(title)) inner(title, recorded(title, test))
  }
  return Object.assign(add, {
    only: (title: string, test: uvu.Callback): void => inner.only(title, recorded(title, test)),
    skip(title = '', test?: uvu.Callback): void {
      if (isLeftOut(title)) return
      record(title, 'skipped')
      inner.skip(title, test)
    },
    before: inner.before,
    after: inner.after,
    run: inner.run,
  })
}

function firstLineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error))
    .split('\n', 1)
    .join('')
    .slice(0, LONGEST_WHY)
}
