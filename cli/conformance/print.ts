/** Output of `svc conformance`: a line for each row after it was tried, and the counts at the end. @module */
import type { RowOutcome } from '../../libraries/conformance/run.ts'
import { inOneLine } from '../../protocol/text-scanning.ts'

const WIDTH = 'not tried'.length + 2

export function lineOf(outcome: RowOutcome): string {
  const first = `${outcome.outcome.padEnd(WIDTH)}${outcome.row}: ${outcome.rule}`
  const detail = detailOf(outcome)
  return detail === null ? first : `${first}\n${' '.repeat(WIDTH)}${inOneLine(detail)}`
}

function detailOf(outcome: RowOutcome): string | null {
  switch (outcome.outcome) {
    case 'ok':
      return null
    case 'failed':
      return `expected ${outcome.expected}; got ${outcome.got}`
    case 'not tried':
      return outcome.reason
  }
}

export function countsOf(outcomes: readonly RowOutcome[]): string {
  const count = (wanted: RowOutcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length
  return `${outcomes.length} rows: ${count('ok')} ok, ${count('failed')} failed, ${count('not tried')} not tried`
}
