/** A page waits for the next screen of a phone. @module */
import * as assert from 'uvu/assert'
import { createScreen } from '../../demo/screen.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { suite } from '../suite.ts'

const Screen = suite('demo: a screen that others wait for')

Screen('a caller who has not seen the screen gets it at once', async () => {
  const screen = createScreen('cards', createSimulatedClock())
  assert.equal(await screen.next(0, 1000), { version: 1, state: 'cards' })
  screen.show('question')
  assert.equal(await screen.next(1, 1000), { version: 2, state: 'question' })
})

Screen('all callers who have seen the screen wait for the next one', async () => {
  const clock = createSimulatedClock()
  const screen = createScreen('cards', clock)
  const both = Promise.all([screen.next(1, 1000), screen.next(1, 1000)])
  screen.show('question')
  assert.equal(await both, [
    { version: 2, state: 'question' },
    { version: 2, state: 'question' },
  ])
  assert.is(clock.nextTimerAt(), null)
})

Screen('at the time limit the same screen is returned', async () => {
  const clock = createSimulatedClock()
  const screen = createScreen('cards', clock)
  const waiting = screen.next(1, 1000)
  clock.advance(1000)
  assert.equal(await waiting, { version: 1, state: 'cards' })
})

Screen.run()
