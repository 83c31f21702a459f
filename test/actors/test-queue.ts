/** A queue of arithmetic whose pieces end when a test says so. @module */
import { type Piece, Queue, type WorkCaller } from '../../actors/workers/queue.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import { settle } from './node.ts'

/** Pieces that are begun and not done: they end when the test says so. */
type Begun = { readonly name: string; end(): Promise<void>; fail(error: Error): Promise<void> }

export type TestQueue = {
  readonly queue: Queue
  readonly clock: SimulatedClock
  /** names of all pieces that were begun, in order */
  readonly order: string[]
  /** what the threads are doing */
  readonly running: Begun[]
  /** a message of so many pieces, named A1, A2 … */
  message(name: string, size: number, asked?: WorkCaller): Promise<readonly string[]>
  /** ends what is being done, and what is begun then, until nothing is left */
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
