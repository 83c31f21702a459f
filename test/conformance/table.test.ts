import * as assert from 'uvu/assert'
import { suite, type TestRecord } from '../suite.ts'
import { isWhole, type Row, tableOf } from './table.ts'

const Table = suite('the conformance table')

const ROW: Row = { id: '1.1 x', rule: 'a|b', tests: ['1.1 x'] }
const PASSED: TestRecord = {
  file: 'conformance/a.test.ts',
  suite: 's',
  title: '1.1 x: holds',
  outcome: 'passed',
}

function lastLine(rows: readonly Row[], records: readonly TestRecord[]): string | undefined {
  return tableOf(rows, records).markdown.trimEnd().split('\n').at(-1)
}

Table('a row is held by the tests that are named after it', () => {
  assert.equal(tableOf([ROW], [PASSED]).gaps, [])
  assert.is(lastLine([ROW], [PASSED]), '| 1.1 x | a\\|b | conformance/a.test.ts: 1.1 x: holds | passed |')
})

Table('a test elsewhere is found by its file and title', () => {
  const row: Row = { ...ROW, tests: [{ file: 'http/b.test.ts', title: /^holds/ }] }
  assert.equal(tableOf([row], [{ ...PASSED, file: 'http/b.test.ts', title: 'holds too' }]).gaps, [])
  assert.equal(tableOf([row], [{ ...PASSED, title: 'holds too' }]).gaps, [
    '1.1 x: no test /^holds/ in http/b.test.ts',
  ])
})

Table('a row whose test is gone, renamed, skipped or failed is a gap', () => {
  assert.equal(tableOf([ROW], []).gaps, ['1.1 x: no test 1.1 x'])
  assert.equal(tableOf([ROW], [{ ...PASSED, title: '1.1 xy: holds' }]).gaps, ['1.1 x: no test 1.1 x'])
  for (const outcome of ['skipped', 'failed'] as const) {
    const records = [{ ...PASSED, outcome }]
    assert.equal(tableOf([ROW], records).gaps, [`1.1 x: conformance/a.test.ts: 1.1 x: holds: ${outcome}`])
    assert.match(lastLine([ROW], records) ?? '', /\| not held \|$/)
  }
})

Table('a row without any test, and a row that stands twice, are gaps', () => {
  assert.equal(tableOf([{ ...ROW, tests: [] }], []).gaps, ['1.1 x: no test'])
  assert.equal(tableOf([ROW, ROW], [PASSED]).gaps, ['1.1 x: two rows'])
})

Table('a row is whole in a run that leaves out none of its files', () => {
  const row: Row = { ...ROW, tests: ['1.1 x', { file: 'http/b.test.ts', title: /^holds/ }] }
  assert.ok(isWhole(row, ['http/c.test.ts']))
  assert.not.ok(isWhole(row, ['http/b.test.ts']))
  assert.not.ok(isWhole(row, ['conformance/a.test.ts']))
  assert.ok(isWhole(row, ['conformance/trials/a.test.ts']))
})

Table.run()
