/** One timer for what time alone causes next, whatever the kind: it stands at the store's next deadline, and only makes rows enter a turn. @module */
import type { Clock, Timer } from '../ports/clock.ts'

/** The longest time without a look at the store: rows may change without a word to this process, by a node that died or by an operator's command.
 *  What is due and could not be moved is tried again then. */
const LONGEST_SLEEP_MS = 5_000
const BATCH = 256

export type DeadlinesDeps = {
  readonly clock: Clock
  /** What is due at `at`, the oldest first: names of rows, or of what stands for several. */
  readonly due: (at: number, limit: number) => Promise<readonly string[]>
  /** Unix ms of the first deadline after `at`, or null. */
  readonly nextAfter: (at: number) => Promise<number | null>
  /** a turn for what time has caused */
  readonly enter: (name: string) => Promise<unknown>
  /** what is to be done at each look besides, at most every five seconds */
  readonly tidy?: (now: number) => Promise<void>
  readonly report: (name: string, error: unknown) => void
}

export class Deadlines {
  readonly #deps: DeadlinesDeps
  #timer: Timer | null = null
  /** Unix ms at which the timer fires; while a look is on its way, at which the next one is wanted */
  #nextAt = Number.POSITIVE_INFINITY
  #isLooking = false
  #tidiedAt = Number.NEGATIVE_INFINITY
  #isClosed = false

  constructor(deps: DeadlinesDeps) {
    this.#deps = deps
  }

  /** Looks now; from then on whenever something is due. */
  start(): void {
    void this.#look()
  }

  /** Something becomes due then. */
  note(at: number): void {
    if (at >= this.#nextAt) return
    this.#nextAt = at
    if (!this.#isLooking) this.#sleep()
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer) this.#deps.clock.clearTimeout(this.#timer)
  }

  async #look(): Promise<void> {
    this.#timer = null
    this.#isLooking = true
    const startedAt = this.#deps.clock.now()
    this.#nextAt = startedAt + LONGEST_SLEEP_MS
    try {
      await this.#tidy(startedAt)
      await this.#enterDue(startedAt)
      this.note((await this.#deps.nextAfter(startedAt)) ?? Number.POSITIVE_INFINITY)
    } catch (error) {
      this.#deps.report('', error)
    }
    this.#isLooking = false
    this.#sleep()
  }

  #sleep(): void {
    const { clock } = this.#deps
    if (this.#timer) clock.clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = clock.setTimeout(() => void this.#look(), Math.max(0, this.#nextAt - clock.now()))
  }

  async #tidy(now: number): Promise<void> {
    if (now < this.#tidiedAt + LONGEST_SLEEP_MS) return
    this.#tidiedAt = now
    await this.#deps.tidy?.(now)
  }

  async #enterDue(at: number): Promise<void> {
    const entered = new Set<string>()
    while (!this.#isClosed) {
      const names = await this.#deps.due(at, BATCH)
      // a turn may fail, or leave a damaged row as due as it was: that would go on for ever
      if (names.every(name => entered.has(name))) return
      for (const name of names) entered.add(name)
      await Promise.all(names.map(name => this.#turn(name)))
      if (names.length < BATCH) return
    }
  }

  async #turn(name: string): Promise<void> {
    try {
      await this.#deps.enter(name)
    } catch (error) {
      this.#deps.report(name, error)
    }
  }
}
