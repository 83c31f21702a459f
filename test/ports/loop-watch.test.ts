/** How long a call may have waited before the event loop hands it over after a standstill. */
import * as assert from 'uvu/assert'
import { watchLoop } from '../../ports/loop-watch.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { suite } from '../suite.ts'

const Loop = suite('a watched event loop')

/** A loop on a clock of the test. */
function watchedLoop() {
  const clock = createSimulatedClock(1_000_000)
  let stoodMs = 0
  const late = { ...clock, now: () => clock.now() + stoodMs }
  return {
    loop: watchLoop(late),
    /** Time passes, and timers fire. */
    run: (ms: number) => clock.advance(ms),
    /** Time passes, and no timer fires. */
    stand(ms: number) {
      stoodMs += ms
    },
  }
}

/** The loop asks the system for what has arrived. */
const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

Loop('a running loop hands over fresh calls, at any time since the last timer', () => {
  const { loop, run } = watchedLoop()
  for (const ms of [0, 1, 249, 250, 499, 60_000, 7]) {
    run(ms)
    assert.is(loop.lateMs(), 0)
  }
})

Loop('during a standstill a call may have waited since the last timer', () => {
  const { loop, run, stand } = watchedLoop()
  run(250)
  stand(499)
  assert.is(loop.lateMs(), 0)
  stand(1)
  assert.is(loop.lateMs(), 500)
  stand(9_500)
  assert.is(loop.lateMs(), 10_000)
})

Loop(
  'after a standstill the calls of the first turn may have waited as long, and later calls are fresh',
  async () => {
    const { loop, run, stand } = watchedLoop()
    run(250)
    stand(10_000)
    run(250)
    assert.is(loop.lateMs(), 10_250)
    await nextTurn()
    assert.is(loop.lateMs(), 0)
  },
)

Loop('waiting connections are accepted one a turn: their first calls may have waited as long', async () => {
  const { loop, run, stand } = watchedLoop()
  stand(10_000)
  run(250)
  for (let turn = 0; turn < 3; turn++) {
    loop.accepted()
    await nextTurn()
    assert.is(loop.lateMs(), 10_250, `turn ${turn}`)
  }
  await nextTurn()
  assert.is(loop.lateMs(), 0)
})

Loop('further connections prolong this for at most as many turns as connections could wait', async () => {
  const { loop, run, stand } = watchedLoop()
  stand(10_000)
  run(250)
  let turns = 0
  for (; loop.lateMs() > 0 && turns < 2_000; turns++) {
    loop.accepted()
    await nextTurn()
  }
  assert.is(turns, 513)
})

Loop('if a second standstill follows in the same turn, the wait counts from the first one', async () => {
  const { loop, run, stand } = watchedLoop()
  stand(5_000)
  run(250)
  stand(5_000)
  run(250)
  assert.is(loop.lateMs(), 10_500)
  await nextTurn()
  assert.is(loop.lateMs(), 0)
})

Loop.run()
