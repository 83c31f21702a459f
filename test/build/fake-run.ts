/** Runs test files that are written for a test of the runner. @module */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { countsOf, type Report, runFolder } from '../folder-run.ts'
import { until } from '../patience.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** @returns the module of test/ that runs beside this one, built or as source */
export const moduleOf = (name: string) => new URL(`../${name}${import.meta.url.slice(-3)}`, import.meta.url)
export const SUITE = moduleOf('suite')
export const NUMBERS = moduleOf('number-given')
export const RUN = moduleOf('folder-run')

export const NOT_RUN = 'expected a result, got none: run() was not called, or a hook ended its suite'

/** The clock does not advance by itself. The run restarts its limit with every message of its process. */
export function runOf(...testsOfFiles: readonly (readonly string[])[]) {
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
  const printed: string[] = []
  const report = runFolder(files, { ...clock, setTimeout }, text => void printed.push(text))
  return {
    clock,
    report,
    printed,
    told: (count: number) => until(() => messages >= count, `${count} messages`),
    put: (name: string) => writeFileSync(join(folder, name), ''),
  }
}

/** @returns the passed, failed and skipped tests, and title and reason of each failed one */
export function shown(report: Report): unknown[] {
  const { records } = report
  const counts = countsOf(report)
  const failed = records.flatMap(({ title, outcome, why }) => (outcome === 'failed' ? [[title, why]] : []))
  return [counts.passed, counts.failed, counts.skipped, ...failed]
}
