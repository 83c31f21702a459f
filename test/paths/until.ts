/** Waiting for what comes over real HTTP: it comes at once, or never. @module */
import type { SimulatedClock } from '../../ports/simulated-clock.ts'
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

/** Moves the clock to that time, and lets everything happen that is due by then. */
export async function passTo(clock: SimulatedClock, at: number): Promise<void> {
  clock.advance(at - clock.now())
  await settle()
  for (let next = clock.nextTimerAt(); next !== null && next <= at; next = clock.nextTimerAt()) {
    clock.advance(0)
    await settle()
  }
}
