import * as assert from 'uvu/assert'
import { blockMsAfter, pinRefusal, triesLeft } from '../../accounts/pin-attempts.ts'
import { writeJson } from '../../protocol/json.ts'
import { pinRefused } from '../../protocol/keyshare/answers.ts'
import { suite } from '../suite.ts'

const DAY_SEC = 86_400
const NOW = 1_795_261_850_000

const Attempts = suite('how often a PIN may be tried (spec/keyshare-server#9, spec/decisions#k13)')

/** The answers to wrong PINs, each sent as soon as another try is allowed. */
function refusals(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const attempts = i + 1
    const { status, message } = pinRefused(pinRefusal(attempts, NOW + blockMsAfter(attempts), NOW)) as {
      status: string
      message: string
    }
    return `${status} ${message}`
  })
}

Attempts('wrong PINs from a clean state: 2 and 1 left, then 60 s, doubling', () => {
  assert.equal(refusals(7), [
    'failure 2',
    'failure 1',
    'error 60',
    'error 120',
    'error 240',
    'error 480',
    'error 960',
  ])
})

Attempts('a block lasts at most 24 h, for any number of counted attempts', () => {
  assert.equal(refusals(15).slice(12), ['error 61440', 'error 86400', 'error 86400'])
  for (const attempts of [100, 5_000, 2 ** 53 - 1]) assert.is(blockMsAfter(attempts), DAY_SEC * 1_000)
})

Attempts(
  'no block follows the first two wrong PINs; after the first block every wrong PIN starts another block',
  () => {
    assert.equal([1, 2].map(blockMsAfter), [0, 0])
    assert.equal([0, 1, 2, 3, 4, 100].map(triesLeft), [3, 2, 1, 0, 0, 0])
  },
)

Attempts(
  'while the account is blocked, the answer is the remaining time of the block, in whole seconds',
  () => {
    const until = NOW + 60_000
    for (const [at, waitSec] of [
      [NOW, 60],
      [NOW + 1, 60],
      [NOW + 1_000, 59],
      [NOW + 59_999, 1],
    ] as const)
      assert.equal(pinRefusal(3, until, at), { status: 'error', waitSec })
  },
)

Attempts('the wait is never 0, even if the answer comes after the block', () => {
  for (const at of [NOW, NOW + 1, NOW + 3_600_000])
    assert.equal(pinRefusal(3, NOW, at), { status: 'error', waitSec: 1 })
  assert.is(writeJson(pinRefused(pinRefusal(3, NOW, NOW))), '{"status":"error","message":"1"}')
})

Attempts.run()
