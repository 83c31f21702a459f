/** The header `Retry-After`: its valid values, and values that are ignored. @module */
import * as assert from 'uvu/assert'
import { retryAfterMs } from '../../ports/retry-after.ts'
import { suite } from '../suite.ts'

const NOW = Date.UTC(2026, 10, 27, 12, 0, 0)
const HOUR = 3_600_000

const SAID: readonly (readonly [string | null, number])[] = [
  ['3600', HOUR],
  [' 2 ', 2_000],
  ['0', 0],
  ['9'.repeat(400), 10_000_000_000_000],
  ['Fri, 27 Nov 2026 13:00:00 GMT', HOUR],
  ['Friday, 27-Nov-26 13:00:00 GMT', HOUR],
  ['Fri Nov 27 13:00:00 2026', HOUR],
  ['Fri, 27 Nov 2026 11:00:00 GMT', 0],
  ...[null, '', 'soon', '-1', '1.5', '2026-11-27T13:00:00Z', '2099-01-01', 'Fri, no date GMT'].map(
    text => [text, 0] as const,
  ),
]

const Header = suite('Retry-After')

for (const [text, ms] of SAID) Header(`${text}: ${ms} ms`, () => assert.is(retryAfterMs(text, NOW), ms))

Header.run()
