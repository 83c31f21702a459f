/** A bound on how often something may happen per name, on a clock that the test moves. */
import * as assert from 'uvu/assert'
import { RateBound } from '../../../actors/accounts/rate-bound.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { suite } from '../../suite.ts'

const MINUTE = 60_000
const Bound = suite('a bound on how often')

/** Calls until the bound refuses one. @returns the number of accepted calls, at most 5,000 */
function taken(bound: RateBound, name = 'a'): number {
  for (let count = 0; count < 5_000; count++) if (bound.take(name) > 0) return count
  return 5_000
}

for (const most of [1, 3, 9, 14, 600, 999])
  Bound(`${most} calls are accepted at once, and ${most} more as the window elapses`, () => {
    const clock = createSimulatedClock(Date.UTC(2030, 0, 1))
    const bound = new RateBound({ most, windowMs: MINUTE }, clock)
    assert.is(taken(bound), most)
    assert.is(taken(bound, 'b'), most)
    clock.advance(MINUTE / most)
    assert.is(taken(bound), 1)
    clock.advance(MINUTE)
    assert.is(taken(bound), most)
    clock.advance(100 * MINUTE)
    assert.is(taken(bound), most)
  })

Bound('a refused call gets the time until the next call is accepted', () => {
  const clock = createSimulatedClock(1_000)
  const bound = new RateBound({ most: 2, windowMs: MINUTE }, clock)
  assert.equal([bound.take('a'), bound.take('a'), bound.take('a')], [0, 0, 30_000])
  clock.advance(10_000)
  assert.is(bound.take('a'), 20_000)
  clock.advance(20_000)
  assert.equal([bound.take('a'), bound.take('a')], [0, 30_000])
})

Bound('0 means that there is no bound', () => {
  const bound = new RateBound({ most: 0, windowMs: MINUTE }, createSimulatedClock(1_000))
  assert.is(taken(bound), 5_000)
})

Bound('20,000 names are remembered, and the least recently used one is evicted', () => {
  const bound = new RateBound({ most: 1, windowMs: MINUTE }, createSimulatedClock(1_000))
  const names = Array.from({ length: 20_000 }, (_, i) => `name ${i}`)
  for (const name of names) bound.take(name)
  assert.ok(bound.take('name 0') > 0)
  assert.is(bound.take('one more'), 0)
  assert.ok(bound.take('name 0') > 0)
  assert.is(bound.take('name 1'), 0)
})

Bound.run()
