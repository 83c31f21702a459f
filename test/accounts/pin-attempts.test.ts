/** The rule of attempts at a PIN (K13), apart from the chart that counts them. @module */
import * as assert from 'uvu/assert'
import { blockedSec, blockMsAfter, triesLeft } from '../../accounts/pin-attempts.ts'
import { suite } from '../suite.ts'

const DAY = 24 * 3_600_000

const Rule = suite('attempts at a PIN (K13)')

Rule('the longest block stays the longest, however large the counter is', () => {
  for (const attempts of [14, 40, 1_100, 2 ** 31]) assert.is(blockMsAfter(attempts), DAY)
})

Rule('the tries that are left are 2, 1, 0, and 0 from then on', () => {
  assert.equal([1, 2, 3, 4, 90].map(triesLeft), [2, 1, 0, 0, 0])
})

Rule('the seconds of a block are never 0 while it lasts', () => {
  const at = 10_000
  assert.equal(
    [at + 60_000, at + 1_001, at + 1, at, at - 5_000].map(until => blockedSec(until, at)),
    [60, 2, 1, 0, 0],
  )
})

Rule.run()
