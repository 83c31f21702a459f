/** The maximum number of events in a second. */
import * as assert from 'uvu/assert'
import { Pace } from '../../../http/inspector/pace.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { suite } from '../../suite.ts'

const OfSecond = suite('inspector: pace')

function paced(most: number) {
  const clock = createSimulatedClock(0)
  const skipped: number[] = []
  const pace = new Pace(clock, most, count => skipped.push(count))
  const take = (times: number) => Array.from({ length: times }, () => pace.take())
  return { clock, skipped, pace, take }
}

OfSecond('the maximum number of events is allowed in each second', () => {
  const { clock, take } = paced(2)
  assert.equal(take(3), [true, true, false])
  clock.advance(999)
  assert.equal(take(1), [false])
  clock.advance(1)
  assert.equal(take(3), [true, true, false])
})

OfSecond('the number of skipped events is reported once, a second after the first of them', () => {
  const { clock, take, skipped } = paced(1)
  take(3)
  clock.advance(999)
  assert.equal(skipped, [])
  clock.advance(1)
  assert.equal(skipped, [2])
  clock.advance(5_000)
  take(2)
  clock.advance(1_000)
  assert.equal(skipped, [2, 1])
})

OfSecond('a viewer that has left gets no number of skipped events', () => {
  const { clock, take, skipped, pace } = paced(1)
  take(3)
  pace.stop()
  clock.advance(1_000)
  assert.equal(skipped, [])
})

OfSecond('a clock that is set back begins a new second', () => {
  let now = 10_000
  const pace = new Pace(Object.assign(createSimulatedClock(0), { now: () => now }), 1)
  assert.is(pace.take(), true)
  assert.is(pace.take(), false)
  now = 2_000
  assert.is(pace.take(), true)
  pace.stop()
})

OfSecond.run()
