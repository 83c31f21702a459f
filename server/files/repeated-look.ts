/** The repeated look at files of a running server. @module */
import type { Clock, Timer } from '../../ports/clock.ts'

/** The pause between two looks at the files. The guides promise that a changed file is used within a minute. */
const LOOK_MS = 20_000

export type RepeatedLook = { start(): void; stop(): void }

/** Looks every 20 s between `start` and `stop`. A second `start` has no effect. */
export function repeatedLook(clock: Clock, look: () => void): RepeatedLook {
  let timer: Timer | null = null
  const again = (): void => {
    timer = clock.setTimeout(() => {
      look()
      again()
    }, LOOK_MS)
  }
  return {
    start: () => (timer === null ? again() : undefined),
    stop: () => (timer === null ? undefined : clock.clearTimeout(timer)),
  }
}
