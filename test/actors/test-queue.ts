/** An arithmetic queue whose pieces end when the test ends them. @module */
import { type Piece, Queue, type WorkCaller } from '../../actors/workers/queue.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import { settle } from './node.ts'

/** A piece in progress, with functions that end it. */
type Begun = { readonly name: string; end(): Promise<void>; fail(error: Error): Promise<void> }

export type TestQueue = {
  readonly queue: Queue
  readonly clock: SimulatedClock
  /** names of all pieces that were begun, in order */
  readonly order: string[]
  /** the pieces in progress */
  readonly running: Begun[]
  /** submits a message with `size` pieces, named A1, A2 … */
  message(name: string, size: number, asked?: WorkCaller): Promise<readonly string[]>
  /** ends the pieces in progress, and those that start then, until none is left */
  drain(): Promise<void>
}

export function testQueue(threads = 1, maxWaitMs = 5_000): TestQueue {
  const clock = createSimulatedClock(1_000_000)
  const queue = new Queue({ threads, maxWaitMs, clock })
  const order: string[] = []
  const running: Begun[] = []
  const piece = (name: string): Piece<string> => ({
    kind: 'proof',
    work: () =>
      new Promise((resolve, reject) => {
        order.push(name)
        const over = async (settled: () => void): Promise<void> => {
          running.splice(running.indexOf(begun), 1)
          settled()
          await settle(1)
        }
        const begun: Begun = {
          name,
          end: () => over(() => resolve(`${name} done`)),
          fail: error => over(() => reject(error)),
        }
        running.push(begun)
      }),
  })
  return {
    queue,
    clock,
    order,
    running,
    message: (name, size, asked) =>
      queue.do(
        Array.from({ length: size }, (_, i) => piece(`${name}${i + 1}`)),
        asked,
      ),
    async drain() {
      for (let [first] = running; first; [first] = running) await first.end()
    },
  }
}
