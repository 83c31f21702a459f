/** The distance of the store's time from a process, from readings that are as precise as their answers were quick. @module */
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { StoreAhead } from '../../../stores/time/store-ahead.ts'
import { suite } from '../../suite.ts'

/** The longest time from the request to the answer: longer than a statement may take. */
const LONGEST_MS = 4_000
const RENEWAL_MS = 3_000

const Ahead = suite('how far the time of a store is ahead')

Ahead('nothing is known before the first reading', () => {
  const ahead = new StoreAhead()
  assert.equal([ahead.ms(), ahead.uncertainMs()], [0, Number.POSITIVE_INFINITY])
})

Ahead('half of the time of a call counts as the way of its answer', () => {
  const ahead = new StoreAhead()
  ahead.read({ askedAt: 1_000, answeredAt: 1_020, storeAt: 6_010 })
  assert.is(ahead.ms(), 5_000)
})

Ahead('a slow answer does not replace a quick one', () => {
  const ahead = new StoreAhead()
  ahead.read({ askedAt: 1_000, answeredAt: 1_002, storeAt: 6_001 })
  ahead.read({ askedAt: 4_000, answeredAt: 7_000, storeAt: 9_100 }) // nearly all of the time was the way back
  assert.is(ahead.ms(), 5_000)
})

Ahead('a quick answer counts until the possible drift exceeds the uncertainty of a slower answer', () => {
  for (const [ageMs, takenMs] of [
    [19_999, 5_000],
    [20_000, 5_015],
  ] as const) {
    const ahead = new StoreAhead()
    ahead.read({ askedAt: 998, answeredAt: 1_000, storeAt: 5_999 }) // 2 ms uncertain
    const answeredAt = 1_000 + ageMs
    ahead.read({ askedAt: answeredAt - 42, answeredAt, storeAt: answeredAt - 21 + 5_015 }) // 22 ms
    assert.is(ahead.ms(), takenMs, `${ageMs}`)
  }
})

Ahead('a clock that was set is believed at once, also by a slow answer', () => {
  const ahead = new StoreAhead()
  ahead.read({ askedAt: 1_000, answeredAt: 1_002, storeAt: 6_001 })
  ahead.read({ askedAt: 4_000, answeredAt: 7_000, storeAt: 65_500 })
  assert.is(ahead.ms(), 60_000)
})

Ahead('drifting clocks are followed, even if the first answer was the quickest', () => {
  const ahead = new StoreAhead()
  for (let at = 0; at <= 24 * 3_600_000; at += RENEWAL_MS) {
    const wayMs = at === 0 ? 0 : 40
    ahead.read({ askedAt: at, answeredAt: at + wayMs, storeAt: Math.round(at * 1.000_1) + 5_000 + wayMs })
    assert.ok(Math.abs(ahead.ms() - (5_000 + at * 0.000_1)) < 60, `${ahead.ms()} after ${at} ms`)
  }
})

Ahead('the error is at most half of the quickest call, plus drift', () => {
  const way = fc.integer({ min: 0, max: LONGEST_MS / 2 })
  const readings = fc.array(fc.tuple(way, way), { minLength: 1, maxLength: 40 })
  const property = fc.property(fc.integer({ min: -60_000, max: 60_000 }), readings, (trueMs, ways) => {
    const ahead = new StoreAhead()
    let quickest = LONGEST_MS
    for (const [i, [thereMs, backMs]] of ways.entries()) {
      const askedAt = i * (RENEWAL_MS + LONGEST_MS)
      const answeredAt = askedAt + thereMs + backMs
      ahead.read({ askedAt, answeredAt, storeAt: askedAt + thereMs + trueMs })
      quickest = Math.min(quickest, (thereMs + backMs) / 2)
      const ageMs = ways.length * (RENEWAL_MS + LONGEST_MS)
      assert.ok(Math.abs(ahead.ms() - trueMs) <= quickest + 2 + ageMs * 0.001)
    }
  })
  fc.assert(property, { numRuns: 300 })
})

Ahead.run()
