/** The clock of the test kit: it follows the clock below it, and can be advanced. */
import * as assert from 'uvu/assert'
import { createMovableClock } from '../../ports/movable-clock.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { suite } from '../suite.ts'

function clocks() {
  const under = createSimulatedClock(1_000)
  const told: string[] = []
  const clock = createMovableClock(under)
  const set = (name: string, ms: number) => clock.setTimeout(() => told.push(`${name} at ${clock.now()}`), ms)
  return { under, clock, told, set }
}

const Movable = suite('a movable clock')

Movable('now and wallNow follow the clock below', () => {
  const { under, clock, told, set } = clocks()
  under.setWall(5_000)
  set('a', 10)
  under.advance(10)
  assert.equal([clock.now(), clock.wallNow(), told], [1_010, 6_010, ['a at 1010']])
})

Movable('timers fire in order and at their times during a move, also those set meanwhile', () => {
  const { clock, told, set } = clocks()
  set('late', 300)
  set('first', 100)
  clock.setTimeout(() => set('set on the way', 50), 200)
  clock.advance(299)
  assert.equal(told, ['first at 1100', 'set on the way at 1250'])
  assert.equal([clock.now(), clock.wallNow()], [1_299, 1_299])
  clock.advance(1)
  assert.is(told.at(-1), 'late at 1300')
})

Movable('after a move a timer waits for the rest of its time, and fires once', () => {
  const { under, clock, told, set } = clocks()
  set('a', 100)
  clock.advance(60)
  under.advance(39)
  assert.equal(told, [])
  under.advance(1)
  assert.equal(told, ['a at 1100'])
  under.advance(1_000)
  clock.advance(1_000)
  assert.is(told.length, 1)
})

Movable('a timer that fired during a move leaves no timer in the clock below', () => {
  const { under, clock, told, set } = clocks()
  set('a', 100)
  clock.advance(100)
  assert.equal([told, under.nextTimerAt()], [['a at 1100'], null])
})

Movable('a cleared timer never fires, whether it is cleared before or after a move', () => {
  const { under, clock, told, set } = clocks()
  const [one, other] = [set('one', 100), set('other', 100)]
  clock.clearTimeout(one)
  clock.advance(50)
  clock.clearTimeout(other)
  clock.advance(100)
  under.advance(1_000)
  assert.equal(told, [])
  assert.is(under.nextTimerAt(), null)
})
Movable.run()
