/** docs/conformance.md: each row of the specification with its tests and their outcomes. A row without a passed test is a gap.
 *  @module */
import { anchorsOf, specification, withLinks } from '../docs/citations.ts'
import type { TestRecord } from '../suite.ts'

export type Row = {
  /** part of the specification and subject of the row: `4.1 POST /session` */
  readonly id: string
  /** in few words */
  readonly rule: string
  /** tests of the row; a row without any is a gap */
  readonly tests: readonly TestsOfRow[]
}
/** Tests of this folder whose title begins with this name, up to a colon; or tests elsewhere whose title matches. There must be at least one. */
export type TestsOfRow = string | { readonly file: string; readonly title: RegExp }

/** @param tests by default the one that is named after the row */
export function row(id: string, rule: string, ...tests: TestsOfRow[]): Row {
  return { id, rule, tests: tests.length === 0 ? [id] : tests }
}

export type Table = {
  readonly markdown: string
  /** problems, one line each */
  readonly gaps: readonly string[]
}

const HEAD = `# Conformance

This page lists each row of parts 2 to 9 of the interface specification, and rows for what the servers offer beyond it, with the tests that check each row.
\`npm run conformance\` writes the page. The rows of \`conformance/kit.test.ts\` are those that \`svc conformance\` tries at any server: here it tries a server of this project.
A row that is not visible from outside names another test. A test run that includes all test files of a row checks the row. It fails if a test of the row is missing, or if this page differs.

| Row | Rule | Test | Outcome |
|---|---|---|---|
`
const SHOWN = 3
const ANCHORS = new Map([...specification()].map(([name, text]) => [name, anchorsOf(text)]))

export function tableOf(rows: readonly Row[], records: readonly TestRecord[]): Table {
  const lines = rows.map(row => lineOf(row, records))
  return {
    markdown: `${HEAD}${lines.map(line => line.markdown).join('\n')}\n`,
    gaps: [...lines.flatMap(line => line.gaps), ...doubles(rows)],
  }
}

function lineOf({ id, rule, tests }: Row, records: readonly TestRecord[]): Table {
  const found = tests.map(each => records.filter(record => isOf(record, each)))
  const lost = tests.filter((_, i) => found[i]?.length === 0)
  const all = found.flat()
  const failed = all.filter(record => record.outcome !== 'passed')
  const isHeld = tests.length > 0 && lost.length === 0 && failed.length === 0
  const names = all.map(record => `${record.file}: ${record.title}`)
  const shown = names.length > SHOWN ? [...names.slice(0, SHOWN), `and ${names.length - SHOWN} more`] : names
  const cells = [id, rule, shown.join('<br>'), isHeld ? 'passed' : 'not held']
  return {
    markdown: `| ${cells.map(cell => withLinks(cell.replaceAll('|', '\\|'), ANCHORS)).join(' | ')} |`,
    gaps: [
      ...(tests.length === 0 ? [`${id}: no test`] : []),
      ...lost.map(
        each => `${id}: no test ${typeof each === 'string' ? each : `${each.title} in ${each.file}`}`,
      ),
      ...failed.map(({ file, title, outcome }) => `${id}: ${file}: ${title}: ${outcome}`),
    ],
  }
}

function isOf({ file, title }: TestRecord, wanted: TestsOfRow): boolean {
  if (typeof wanted !== 'string') return file === wanted.file && wanted.title.test(title)
  return isInFolder(file) && (title === wanted || title.startsWith(`${wanted}: `))
}

/** The tests of `trials/` are in another part of the tests: a row names them with their file. */
function isInFolder(file: string): boolean {
  return file.startsWith('conformance/') && !file.startsWith('conformance/trials/')
}

/** @returns true if the outcome of a row depends on the test file */
export function holdsRow(file: string, rows: readonly Row[]): boolean {
  const named = rows.flatMap(({ tests }) =>
    tests.flatMap(each => (typeof each === 'string' ? [] : each.file)),
  )
  return isInFolder(file) || named.includes(file)
}

/** @param left test files that are not run
 *  @returns true if none of them may have a test of the row */
export function isWhole(row: Row, left: readonly string[]): boolean {
  return !left.some(file =>
    row.tests.some(each => (typeof each === 'string' ? isInFolder(file) : file === each.file)),
  )
}

function doubles(rows: readonly Row[]): string[] {
  const ids = rows.map(row => row.id)
  return ids.filter((id, i) => ids.indexOf(id) !== i).map(id => `${id}: two rows`)
}
