/** Waits for effects of real HTTP, which happen without an advance of the clock, or never. @module */
import type { SimulatedClock } from '../../ports/simulated-clock.ts'
import type { Nodes, SessionServerStore } from '../../stores/store.ts'
import { settle } from '../actors/node.ts'
import * as patience from '../patience.ts'

/** Continues as soon as the condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await patience.until(holds, 'the effect of the step', () => settle(1))
}

/** The calls that watched stores have not answered yet. */
const UNANSWERED = new WeakMap<object, Set<Promise<unknown>>>()

/** A store whose answers can be awaited, for any number of turns of the event loop.
 *  @param instead members that replace its own
 *  @param calls of the whole store, if this is a part of it */
function watched<Part extends object>(
  part: Part,
  instead: object = {},
  calls = new Set<Promise<unknown>>(),
): Part {
  const watching = new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(name in instead ? instead : target, name)
      if (typeof value === 'object' && value !== null) return watched(value, {}, calls)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const answer: unknown = Reflect.apply(value, target, args)
        if (answer instanceof Promise) note(answer, calls)
        return answer
      }
    },
  })
  UNANSWERED.set(watching, calls)
  return watching
}

function note(answer: Promise<unknown>, calls: Set<Promise<unknown>>): void {
  const over = answer.then(
    () => void calls.delete(over),
    () => void calls.delete(over),
  )
  calls.add(over)
}

/** A watched store for one node. It counts as not shared, so that the node does not wait for other nodes to do due work. Its time is the clock of the test. */
export function watchedOnClock<Some extends SessionServerStore>(store: Some): Some {
  const nodes: Nodes = { isShared: false, isAlive: id => store.nodes.isAlive(id), aheadMs: () => 0 }
  return watched(store, { nodes })
}

/** Waits until everything that is due has happened, and no call waits for the store. */
export async function quiet(store: object): Promise<void> {
  await settle()
  for (const calls = UNANSWERED.get(store); calls !== undefined && calls.size > 0; await settle())
    await Promise.all(calls)
}

/** Moves the clock to that time, and waits until everything that is due by then has happened. */
export async function passTo(clock: SimulatedClock, at: number, store: object): Promise<void> {
  clock.advance(at - clock.now())
  await quiet(store)
  for (let next = clock.nextTimerAt(); next !== null && next <= at; next = clock.nextTimerAt()) {
    clock.advance(0)
    await quiet(store)
  }
}
