/** Actors of XState on XState's own simulated clock, with no code of this product around them. @module */
import * as assert from 'uvu/assert'
import { SimulatedClock } from 'xstate'

export const START = 1_000_000

export function clockAtStart(): SimulatedClock {
  const clock = new SimulatedClock()
  clock.set(START)
  return clock
}

/** Moves the clock to that time and fires the timers that are due. Then it fires timers of 0 ms that the first ones started. */
export function pass(clock: SimulatedClock, at: number): void {
  clock.set(at)
  clock.increment(0)
}

/** Asserts that an actor leaves its state at that time, and not a millisecond earlier. */
export function assertLeaves(
  { actor, clock }: { readonly actor: Alone; readonly clock: SimulatedClock },
  at: number,
  to: unknown,
): void {
  const { value } = actor.getSnapshot()
  pass(clock, at - 1)
  assert.equal(actor.getSnapshot().value, value, 'a millisecond before the end')
  pass(clock, at)
  assert.equal(actor.getSnapshot().value, to, 'at the end')
}

type Alone = { getSnapshot(): { readonly value: unknown; readonly status: string } }
