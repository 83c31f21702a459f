/** Attempts that end late: after the server began to stop, or after another process began the next attempt. @module */
import * as assert from 'uvu/assert'
import type { AttemptOutcome } from '../../actors/deliveries/attempt.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { withChanges } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { accepted, failed, HOUR, owed, START, startWorld } from './delivering.ts'
import { deferred, elapse, settle } from './node.ts'

const Late = suite('deliveries: attempts that end late')

Late('a server that stops begins no new attempt when an attempt ends', async () => {
  const answer = deferred()
  const world = startWorld(async ({ attempts }) => {
    await answer.promise
    return accepted(attempts)
  })
  await world.owe(...Array.from({ length: 9 }, (_, i) => owed(`d${i}`)))
  const closed = world.close()
  answer.resolve()
  await closed
  await settle()
  assert.equal([world.posted.length, world.told.length, world.reports], [8, 8, []])
})

Late(
  'a server that stops gives its attempts 1 s; a delivery without an answer then waits for the next start',
  async () => {
    const world = startWorld(
      ({ attempts }, stop) =>
        new Promise(resolve => stop.addEventListener('abort', () => resolve(failed(attempts)))),
    )
    await world.owe(owed('d'))
    const closed = world.close()
    await settle()
    world.clock.advance(1_000)
    await closed
    const { state, dueAt, attempts } = (await world.store.deliveries.load('d')) ?? owed('none')
    assert.equal([state, dueAt, attempts], ['waiting', START + 1_000, 1])
    assert.is(world.clock.nextTimerAt(), null, 'no timer stays')
  },
)

Late('an acceptance while the server stops, but within that second, counts as delivered', async () => {
  const world = startWorld(
    ({ attempts }, stop) =>
      new Promise(resolve => stop.addEventListener('abort', () => resolve(accepted(attempts)))),
  )
  await world.owe(owed('d'))
  const closed = world.close()
  await settle()
  world.clock.advance(1_000)
  await closed
  assert.equal(world.told, ['d delivered'])
})

for (const end of ['has begun', 'was accepted, and its row is deleted'] as const)
  Late(`the outcome of an attempt that hung until the next attempt ${end} is ignored`, async () => {
    const store = createMemoryStore()
    const clock = createSimulatedClock(START)
    const [slow, next] = [deferred<AttemptOutcome>(), deferred<AttemptOutcome>()]
    const first = startWorld(() => slow.promise, store, clock)
    await first.owe(owed('d'))
    const second = startWorld(() => next.promise, store, clock)
    await elapse(clock, 40_000)
    assert.equal([first.posted.length, second.posted.length], [1, 1])
    if (end !== 'has begun') {
      next.resolve(accepted(2))
      await elapse(clock, 25 * HOUR)
      assert.is(await store.deliveries.load('d'), null)
    }
    slow.resolve(accepted(1))
    await settle()
    assert.equal([first.told, first.reports], [[], []])
  })

Late('an attempt whose lease elapses before the post is not made', async () => {
  const inner = createMemoryStore()
  const clock = createSimulatedClock(START)
  let isSlow = true
  const store = withChanges(inner, {
    async commit(change) {
      const isMade = await inner.commit(change)
      if (isSlow && change.delivery) clock.advance(30_000)
      isSlow &&= !change.delivery
      return isMade
    },
  })
  const world = startWorld(async ({ attempts }) => accepted(attempts), store, clock)
  await world.owe(owed('d'))
  await elapse(clock, 5_000)
  assert.equal([world.posted, world.told], [[['d', START + 30_000]], ['d delivered']])
})

Late.run()
