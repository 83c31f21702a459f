/** Work that is repeated in rounds: no timer and no round is left after its end. @module */
import * as assert from 'uvu/assert'
import { Rounds } from '../../actors/revocation/rounds.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { suite } from '../suite.ts'
import { deferred, settle } from './node.ts'

const Ends = suite('the end of rounds')

Ends('waits for the round in progress, after which no other begins', async () => {
  const clock = createSimulatedClock()
  const rounds = new Rounds(clock)
  const work = deferred()
  rounds.every(
    1_000,
    () => work.promise,
    () => {},
  )
  clock.advance(1_000)
  let hasEnded = false
  const ending = rounds.close().then(() => {
    hasEnded = true
  })
  await settle()
  assert.not(hasEnded)
  work.resolve()
  await ending
  assert.is(clock.nextTimerAt(), null)
})

Ends.run()
