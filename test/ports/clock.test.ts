/** Time as an argument: the clock of a running program, the simulated clock, and pauses. @module */
import { getEventListeners } from 'node:events'
import * as assert from 'uvu/assert'
import { createSystemClock, pause } from '../../ports/clock.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { suite } from '../suite.ts'

const HOUR = 3_600_000

const Clocks = suite('clocks')

Clocks('a simulated clock fires timers in order and at their times, also those set meanwhile', () => {
  const clock = createSimulatedClock(100)
  const fired: string[] = []
  const fire = (name: string) => () => void fired.push(`${name} ${clock.now()}`)
  clock.setTimeout(fire('late'), 50)
  clock.setTimeout(() => clock.setTimeout(fire('set on the way'), 10), 20)
  clock.setTimeout(fire('early'), 10)
  clock.setTimeout(fire('early, second'), 10)
  clock.setTimeout(fire('beyond'), 51)
  assert.is(clock.nextTimerAt(), 110)
  clock.advance(50)
  assert.equal(fired, ['early 110', 'early, second 110', 'set on the way 130', 'late 150'])
  assert.equal([clock.now(), clock.nextTimerAt()], [150, 151])
})

Clocks('a timer that is cleared does not fire', () => {
  const clock = createSimulatedClock()
  const timer = clock.setTimeout(() => assert.unreachable(), 10)
  clock.clearTimeout(timer)
  clock.advance(20)
  assert.is(clock.nextTimerAt(), null)
})

Clocks('the system clock counts Unix time, and its timers fire unless they are cleared', async () => {
  const clock = createSystemClock()
  assert.ok(Math.abs(clock.now() - Date.now()) < 1_000)
  const fired = new Promise(resolve => clock.setTimeout(() => resolve('fired'), 0))
  clock.clearTimeout(clock.setTimeout(() => assert.unreachable(), 0))
  const awake = setTimeout(() => {}, 10_000) // timers of the system clock do not keep the process alive
  assert.is(await fired, 'fired')
  clearTimeout(awake)
})

for (const hours of [-2, 2])
  Clocks(`when the clock of the system is set by ${hours} hours, wallNow follows, and now does not`, () => {
    const clock = createSystemClock()
    const [before, { now }] = [clock.now(), Date]
    Date.now = () => now() + hours * HOUR
    try {
      const [counted, read] = [clock.now() - before, clock.wallNow() - before]
      assert.ok(counted >= 0 && counted < HOUR / 60, `counted ${counted} ms`)
      assert.ok(Math.abs(read - hours * HOUR) < HOUR / 60, `read ${read} ms`)
      assert.ok(Number.isSafeInteger(clock.now()))
    } finally {
      Date.now = now
    }
  })

Clocks('timers keep the process alive only if the clock was created with keepsAlive', () => {
  const holding = (): number => process.getActiveResourcesInfo().filter(each => each === 'Timeout').length
  for (const keepsAlive of [false, true]) {
    const clock = createSystemClock({ keepsAlive })
    const before = holding()
    const timer = clock.setTimeout(() => {}, HOUR)
    assert.is(holding() - before, keepsAlive ? 1 : 0)
    clock.clearTimeout(timer)
  }
})

const Pauses = suite('pauses')

Pauses('a pause ends when its time is over', async () => {
  const clock = createSimulatedClock()
  let isOver = false
  const paused = pause(clock, 10).then(() => {
    isOver = true
  })
  clock.advance(9)
  await new Promise(setImmediate)
  assert.not.ok(isOver)
  clock.advance(1)
  await paused
})

Pauses(
  'a pause ends when its signal is aborted, or at once if it was aborted before, and no timer stays',
  async () => {
    const clock = createSimulatedClock()
    const stop = new AbortController()
    const paused = pause(clock, 10, stop.signal)
    stop.abort()
    await paused
    await pause(clock, 10, stop.signal)
    assert.is(clock.nextTimerAt(), null)
  },
)

Pauses('a pause leaves no listener on a signal that outlives it', async () => {
  const clock = createSimulatedClock()
  const { signal } = new AbortController()
  const paused = pause(clock, 10, signal)
  assert.is(getEventListeners(signal, 'abort').length, 1)
  clock.advance(10)
  await paused
  assert.is(getEventListeners(signal, 'abort').length, 0)
})

Clocks.run()
Pauses.run()
