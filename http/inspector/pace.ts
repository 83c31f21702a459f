/** How many of something may happen in a second, and how many more were left out. @module */
import type { Clock, Timer } from '../../ports/clock.ts'

const SECOND_MS = 1_000

export class Pace {
  readonly #clock: Clock
  readonly #most: number
  readonly #tellSkipped: (count: number) => void
  #since = Number.NEGATIVE_INFINITY
  #taken = 0
  #skipped = 0
  #timer: Timer | null = null

  /** @param most in one second
   *  @param tellSkipped called at the end of a second in which some were left out */
  constructor(clock: Clock, most: number, tellSkipped: (count: number) => void = () => {}) {
    this.#clock = clock
    this.#most = most
    this.#tellSkipped = tellSkipped
  }

  /** @returns false: there were enough in this second, leave it out */
  take(): boolean {
    const now = this.#clock.now()
    // a clock that was set back begins a new second, too
    if (now < this.#since || now - this.#since >= SECOND_MS) {
      this.#since = now
      this.#taken = 0
    }
    this.#taken += 1
    if (this.#taken <= this.#most) return true
    this.#skipped += 1
    this.#timer ??= this.#clock.setTimeout(() => this.#tell(), SECOND_MS)
    return false
  }

  stop(): void {
    if (this.#timer) this.#clock.clearTimeout(this.#timer)
    this.#timer = null
  }

  #tell(): void {
    this.#timer = null
    this.#tellSkipped(this.#skipped)
    this.#skipped = 0
  }
}
