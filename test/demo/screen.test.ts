/** A page waits for the next screen of a phone. @module */
import * as assert from 'uvu/assert'
import { createScreen } from '../../demo/screen.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { suite } from '../suite.ts'

const Screen = suite('demo: a screen that others wait for')

Screen('what is shown is answered at once to whoever has not seen it', async () => {
  const screen = createScreen('cards', createSimulatedClock())
  assert.equal(await screen.next(0, 1000), { version: 1, state: 'cards' })
  screen.show('question')
  assert.equal(await screen.next(1, 1000), { version: 2, state: 'question' })
})

Screen('whoever has seen it waits for the next, all of them', async () => {
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

Screen('after the time the same is answered', async () => {
  const clock = createSimulatedClock()
  const screen = createScreen('cards', clock)
  const waiting = screen.next(1, 1000)
  clock.advance(1000)
  assert.equal(await waiting, { version: 1, state: 'cards' })
})

Screen.run()
