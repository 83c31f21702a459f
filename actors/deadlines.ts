/** One timer for what time alone causes next, whatever the kind: it stands at the store's next deadline, and only makes rows enter a turn. Every node of a
 *  shared store has such a timer for all rows, so that nothing waits for a node that is gone; the commit of a row decides which of them moves it. @module */
import type { Clock, Timer } from '../ports/clock.ts'
import type { Nodes } from '../stores/store.ts'

/** The longest time without a look at the store: rows may change without a word to this process, by a node that died or by an operator's command.
 *  What is due and could not be moved is tried again then. */
const LONGEST_SLEEP_MS = 5_000
/** The longest time without a look at a store that other nodes use, too: what a node has committed and left, because it died then, is done within a second. */
const LONGEST_SLEEP_SHARED_MS = 750
/** The shortest time between two looks at such a store: on a busy one whoever looks finds several rows, and the others fewer of them. */
const SHORTEST_SLEEP_SHARED_MS = 100
/** The time within which the nodes look one after the other at what is due at one time. */
const SPREAD_MS = 300
const BATCH = 256
/** The rows of a shared store that enter their turns together, before this node looks which of the others are still due. */
const BATCH_SHARED = 32

/** How one node of a shared store keeps out of the way of the others without a word, so that few turns are in vain. */
export class Apart {
  readonly #bootId: string
  /** where this node begins: part of the whole, from 0 to 1 */
  readonly #place: number

  constructor(bootId: string) {
    this.#bootId = bootId
    this.#place = placeOf(bootId)
  }

  /** How long after that time this node looks at what is due then; another node looks first at most times. */
  latenessMs(at: number): number {
    return Math.floor(placeOf(`${this.#bootId} ${at}`) * SPREAD_MS)
  }

  /** Some of them, beginning where no other node does. */
  some<Name>(names: readonly Name[], most: number): readonly Name[] {
    const first = Math.floor(this.#place * names.length)
    return [...names.slice(first), ...names.slice(0, first)].slice(0, most)
  }
}

/** @returns null: this process has the store for itself */
export function apartFrom({ isShared }: Pick<Nodes, 'isShared'>, bootId: string): Apart | null {
  return isShared ? new Apart(bootId) : null
}

/** @returns from 0 to 1, spread evenly (FNV-1a, whose upper bits are mixed once more) */
function placeOf(name: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}

export type DeadlinesDeps = {
  readonly clock: Clock
  /** null: this process has the store for itself */
  readonly apart: Apart | null
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
  #lookedAt = Number.NEGATIVE_INFINITY
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
    const { clock, apart } = this.#deps
    const startedAt = clock.now()
    this.#lookedAt = startedAt
    this.#nextAt = startedAt + (apart ? LONGEST_SLEEP_SHARED_MS : LONGEST_SLEEP_MS)
    try {
      await this.#tidy(startedAt)
      await this.#enterDue(startedAt)
      const nextAt = await this.#deps.nextAfter(startedAt)
      if (nextAt !== null) this.note(nextAt + (apart?.latenessMs(nextAt) ?? 0))
    } catch (error) {
      this.#deps.report('', error)
    }
    this.#isLooking = false
    this.#sleep()
  }

  #sleep(): void {
    const { clock, apart } = this.#deps
    if (this.#timer) clock.clearTimeout(this.#timer)
    if (this.#isClosed) return
    const firstAt = apart ? this.#lookedAt + SHORTEST_SLEEP_SHARED_MS : this.#lookedAt
    const sleepMs = Math.max(this.#nextAt, firstAt) - clock.now()
    this.#timer = clock.setTimeout(() => void this.#look(), Math.max(0, sleepMs))
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
      const fresh = names.filter(name => !entered.has(name))
      const mine = this.#deps.apart?.some(fresh, BATCH_SHARED) ?? fresh
      for (const name of mine) entered.add(name)
      await Promise.all(mine.map(name => this.#turn(name)))
      if (mine.length === 0 || (names.length < BATCH && mine.length === fresh.length)) return
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
