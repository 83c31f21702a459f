/** The statistics of the timing test, on invented times. No time is measured here. */
import * as assert from 'uvu/assert'
import { randomOf } from '../../fuzz/random.ts'
import { suite } from '../../suite.ts'
import { type Case, LIMIT, measure } from './measure.ts'
import { strongest, type Timed, welchT } from './statistics.ts'

const Statistics = suite('statistics of the timing test')

Statistics(
  "Welch's t is the difference of the means in standard errors, each sample with its own variance",
  () => {
    // means 2 and 6, variances 1 and 4, of 3 and 3 values: -4 / sqrt(1/3 + 4/3)
    assert.ok(Math.abs(welchT([1, 2, 3], [4, 6, 8]) + 4 / Math.sqrt(5 / 3)) < 1e-12)
    assert.is(welchT([1, 2, 3], [3, 2, 1]), 0)
    assert.is(welchT([1, 1, 1], [1, 1, 1]), 0)
  },
)

/** @param leak what the second class takes longer, by the number of the measurement */
function times(leak: (number: number) => number, noise: number): Timed[] {
  return Array.from({ length: 20_000 }, (_, number) => {
    const random = randomOf(7, number)
    const isFirst = random.chance(0.5)
    const isDisturbed = random.chance(0.02)
    const time = 1_000 + random.int(noise) + random.int(noise) + (isDisturbed ? random.int(200_000) : 0)
    return { isFirst, time: time + (isFirst ? 0 : leak(number)) }
  })
}

Statistics('times of one distribution show no difference', () => {
  assert.ok(Math.abs(strongest(times(() => 0, 50)).t) < LIMIT)
})

Statistics('a difference below the noise of the machine is found under a percentile', () => {
  const timed = times(() => 10, 50)
  const ofClass = (isFirst: boolean): number[] =>
    timed.filter(each => each.isFirst === isFirst).map(({ time }) => time)
  assert.ok(Math.abs(welchT(ofClass(true), ofClass(false))) < LIMIT)
  const { t, share } = strongest(timed)
  assert.ok(t < -LIMIT && share < 1, `${t} ${share}`)
})

Statistics('a difference of a few measurements is found', () => {
  assert.ok(Math.abs(strongest(times(number => (number % 10 === 0 ? 400 : 0), 50)).t) > LIMIT)
})

Statistics('too few times give no difference', () => {
  assert.equal(strongest([{ isFirst: true, time: 1 }]), { t: 0, share: 1 })
})

Statistics('both classes are called, and the number of measurements is the requested one', () => {
  const called = [0, 0]
  const workOf = (of: 0 | 1) => (): void => {
    called[of] = (called[of] ?? 0) + 1
  }
  const given: Case = { name: 'a', kind: 'secret', share: 1, calls: 2, works: [[workOf(0)], [workOf(1)]] }
  assert.is(measure(given, 1_000).measurements, 1_000)
  assert.is((called[0] ?? 0) + (called[1] ?? 0), 2 * 2_000)
  assert.ok(called.every(count => count > 0))
})

Statistics.run()
