/** The lines of a log on their way to its output. Writing a line costs several times as much as making it, so lines are written in batches. A line of level
 *  warning or above is written at once, with all lines before it. Pending lines are written before the process ends, unless a signal ends it that no
 *  program can catch (SIGKILL) or that this one does not handle. @module */
import type { Clock, Timer } from '../../ports/clock.ts'

/** The longest time for which a line waits. */
const LONGEST_WAIT_MS = 100
/** The most characters that wait. */
const MOST_CHARACTERS = 2 ** 14
/** The level from which on a line is written at once, as pino numbers it: a warning. */
const URGENT_LEVEL = 40

export class LineWriter {
  readonly #output: (text: string) => void
  readonly #clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  #waiting = ''
  #timer: Timer | null = null

  /** @param output writes before it returns, as standard error does */
  constructor(output: (text: string) => void, clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>) {
    this.#output = output
    this.#clock = clock
  }

  write(line: string, level: number): void {
    this.#waiting += line
    if (level >= URGENT_LEVEL || this.#waiting.length >= MOST_CHARACTERS) this.flush()
    else this.#timer ??= this.#clock.setTimeout(() => this.flush(), LONGEST_WAIT_MS)
  }

  /** Writes the pending lines. */
  flush(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    this.#timer = null
    const text = this.#waiting
    this.#waiting = ''
    if (text !== '') this.#output(text)
  }
}
