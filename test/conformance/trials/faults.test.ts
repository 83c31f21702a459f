/** Injects faults into a server, one at a time: the rows for each fault find it. */
import * as assert from 'uvu/assert'
import { type RowOutcome, tryRows } from '../../../libraries/conformance/run.ts'
import type { Target } from '../../../libraries/conformance/service.ts'
import { rowsThat } from '../../../libraries/conformance/trials/trials.ts'
import { suite } from '../../suite.ts'
import { FAULTS, faulty } from './faults.ts'
import { startTarget } from './target.ts'

const { target, close } = await startTarget('svc', 'token')
const Faults = suite('svc conformance: a server with faults')

async function tried(at: Target, rows: readonly string[]): Promise<readonly RowOutcome[]> {
  const outcomes: RowOutcome[] = []
  for await (const outcome of tryRows(at, rowsThat(rows))) outcomes.push(outcome)
  return outcomes
}

/** A row that none of the faults affects. */
const OTHER = '2.2 frontendRequest maxProtocolVersion'

for (const { name, found, alter } of FAULTS)
  Faults(`${name}: ${found.join(', ')}`, async () => {
    const rows = [...found, OTHER]
    const without = await tried(target, rows)
    assert.equal(
      without.filter(({ outcome }) => outcome !== 'ok'),
      [],
    )
    const outcomes = await tried({ ...target, fetch: faulty(target.fetch, alter) }, rows)
    for (const { row, outcome } of outcomes) assert.is(outcome, row === OTHER ? 'ok' : 'failed', row)
    assert.is(outcomes.length, rows.length)
  })

Faults('a failed row has the expected and the received answer, and no token', async () => {
  const [fault] = FAULTS
  if (fault === undefined) throw new Error('expected a fault, got none')
  const at = { ...target, fetch: faulty(target.fetch, fault.alter) }
  const [outcome] = await tried(at, ['7 unknown or expired session'])
  assert.equal(outcome, {
    row: '7 unknown or expired session',
    rule: '400 `SESSION_UNKNOWN`',
    outcome: 'failed',
    expected: 'GET status of an unknown session: 400 SESSION_UNKNOWN',
    got: '200',
  })
})

Faults.after(close)
Faults.run()
