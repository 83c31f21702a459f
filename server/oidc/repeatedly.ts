/** A task that a node repeats, with a pause after each run. @module */
import type { Clock } from '../../ports/clock.ts'

type Means = {
  readonly clock: Clock
  readonly everyMs: number
  readonly report: (error: unknown) => void
}

/** The first run is after the first pause. A run that fails is reported, and the next one tries again.
 *  @returns `close` waits for the run that is going on */
export function repeatedly(
  run: () => Promise<void>,
  { clock, everyMs, report }: Means,
): { close(): Promise<void> } {
  let [isClosed, running] = [false, Promise.resolve()]
  let timer = clock.setTimeout(begin, everyMs)
  function begin(): void {
    running = run()
      .catch(report)
      .then(() => {
        if (!isClosed) timer = clock.setTimeout(begin, everyMs)
      })
  }
  return {
    async close() {
      isClosed = true
      clock.clearTimeout(timer)
      await running
    },
  }
}
