/** How old a call may be that the event loop hands over after it stood still. */
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

Loop('one that runs hands over fresh calls, whatever the time since the last look', () => {
  const { loop, run } = watchedLoop()
  for (const ms of [0, 1, 249, 250, 499, 60_000, 7]) {
    run(ms)
    assert.is(loop.lateMs(), 0)
  }
})

Loop('a standstill that goes on: a call may have arrived since the last look', () => {
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
  'after a standstill: what is handed over in the first turn may be as old, and a later call is fresh',
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

Loop('connections that waited are accepted one in a turn: their first calls may be as old', async () => {
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

Loop('connections that keep coming prolong it for no more turns than connections could wait', async () => {
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

Loop('a second standstill before the first is over counts from the beginning of the first', async () => {
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
