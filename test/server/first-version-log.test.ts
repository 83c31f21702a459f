/** Log lines about the first version of the keyshare protocol (spec/decisions#keyshare_v1). */
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { parseIssuerId } from '../../protocol/ids.ts'
import { firstVersionLog } from '../../server/log/first-version-log.ts'
import { suite } from '../suite.ts'

const Lines = suite('log lines about the first version of the keyshare protocol')

Lines('there is one line per issuer and day', () => {
  const clock = createSimulatedClock(Date.UTC(2026, 0, 1, 23))
  const lines: object[] = []
  const note = firstVersionLog({ warn: (facts: object) => lines.push(facts) }, clock)
  const [first, second] = ['a.b', 'a.c'].map(parseIssuerId)
  if (!first || !second) throw new Error('expected two issuers')
  for (const issuer of [first, second, first, second]) note(issuer)
  assert.equal(lines, [{ issuer: 'a.b' }, { issuer: 'a.c' }])
  clock.advance(3_599_000)
  note(first)
  assert.is(lines.length, 2)
  clock.advance(1_000)
  note(first)
  note(first)
  assert.equal(lines.slice(2), [{ issuer: 'a.b' }])
})

Lines.run()
