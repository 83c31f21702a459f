/** Waiting for what comes over real HTTP: it comes at once, or never. @module */
import type { SimulatedClock } from '../../ports/simulated-clock.ts'
import type { Nodes, SessionServerStore } from '../../stores/store.ts'
import { settle } from '../actors/node.ts'

/** The longest time, of a real clock, for which something is waited for that does not come. */
const LONGEST_WAIT_MS = 5_000

/** Goes on as soon as that holds; also when it never does, which whoever asked sees then. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const startedAt = performance.now(); performance.now() - startedAt < LONGEST_WAIT_MS; await settle(1))
    if (await holds()) return
}

/** What comes over HTTP, or an error when it does not come. */
export async function soon<T>(promise: Promise<T>, what: string): Promise<T> {
  const come: T[] = []
  const kept = promise.then(value => void come.push(value))
  await Promise.race([kept, until(() => come.length > 0)])
  for (const value of come) return value
  throw new Error(`expected ${what}, got nothing`)
}

/** The calls that stores which are watched have not answered yet. */
const UNANSWERED = new WeakMap<object, Set<Promise<unknown>>>()

/** A store whose answers can be waited for, however many turns of the event loop they take.
 *  @param instead members in place of its own
 *  @param calls of the whole store, where this is a part of it */
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

/** A store that several nodes may share, watched, for one node that has it for itself and does not leave the first look to others; its time is the clock of the test. */
export function watchedOnClock<Some extends SessionServerStore>(store: Some): Some {
  const nodes: Nodes = { isShared: false, isAlive: id => store.nodes.isAlive(id), aheadMs: () => 0 }
  return watched(store, { nodes })
}

/** Lets everything happen that happens now: until nobody waits for the store. */
export async function quiet(store: object): Promise<void> {
  await settle()
  for (const calls = UNANSWERED.get(store); calls !== undefined && calls.size > 0; await settle())
    await Promise.all(calls)
}

/** Moves the clock to that time, and lets everything happen that is due by then. */
export async function passTo(clock: SimulatedClock, at: number, store: object): Promise<void> {
  clock.advance(at - clock.now())
  await quiet(store)
  for (let next = clock.nextTimerAt(); next !== null && next <= at; next = clock.nextTimerAt()) {
    clock.advance(0)
    await quiet(store)
  }
}
