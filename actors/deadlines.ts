/** A timer for the events that time alone causes, for any kind of row. It fires at the store's next deadline, and only lets rows enter a turn. Every node of a
 *  shared store has such a timer for all rows, so no row waits for a node that is gone. The commit of a row decides which node moves it. @module */
import type { Clock, Timer } from '../ports/clock.ts'
import type { Nodes } from '../stores/store.ts'

/** The longest time without a look at the store. Rows may change without a notification to this process, by a node that died or by an operator's command. Due
 *  rows that could not be moved are retried then. */
const LONGEST_SLEEP_MS = 5_000
/** The longest time without a look at a shared store: work that a node committed and then left by dying is found within a second. */
const LONGEST_SLEEP_SHARED_MS = 750
/** The shortest time between two looks at a shared store: on a busy store each look then finds several rows. */
const SHORTEST_SLEEP_SHARED_MS = 100
/** The time over which the nodes spread their looks at rows with the same deadline. */
const SPREAD_MS = 300
const BATCH = 256
/** The rows of a shared store that enter their turns together, before this node checks which of the others are still due. */
const BATCH_SHARED = 32

/** Spreads the nodes of a shared store without communication between them, so that few of their turns collide. */
export class NodeSpread {
  readonly #bootId: string
  /** start of this node within the list of due rows, as a fraction from 0 to 1 */
  readonly #place: number

  constructor(bootId: string) {
    this.#bootId = bootId
    this.#place = placeOf(bootId)
  }

  /** Delay after `at` with which this node looks at the rows that are due then. Another node usually looks first. */
  latenessMs(at: number): number {
    return Math.floor(placeOf(`${this.#bootId} ${at}`) * SPREAD_MS)
  }

  /** At most `most` of the names, starting at the position of this node. */
  some<Name>(names: readonly Name[], most: number): readonly Name[] {
    const first = Math.floor(this.#place * names.length)
    return [...names.slice(first), ...names.slice(0, first)].slice(0, most)
  }
}

/** @returns null if this process has the store to itself */
export function apartFrom({ isShared }: Pick<Nodes, 'isShared'>, bootId: string): NodeSpread | null {
  return isShared ? new NodeSpread(bootId) : null
}

/** Hashes a name to a number from 0 to 1, evenly distributed (FNV-1a, with its upper bits mixed once more). */
function placeOf(name: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}

export type DeadlinesDeps = {
  readonly clock: Clock
  /** null: this process has the store to itself */
  readonly apart: NodeSpread | null
  /** The names that are due at `at`, oldest first: names of rows, or of groups of rows. */
  readonly due: (at: number, limit: number) => Promise<readonly string[]>
  /** Unix ms of the first deadline after `at`, or null. */
  readonly nextAfter: (at: number) => Promise<number | null>
  /** lets a row or group enter a turn for the event that time has caused */
  readonly enter: (name: string) => Promise<unknown>
  /** further work at a look, at most every five seconds */
  readonly tidy?: (now: number) => Promise<void>
  readonly report: (name: string, error: unknown) => void
}

export class Deadlines {
  readonly #deps: DeadlinesDeps
  #timer: Timer | null = null
  /** Unix ms at which the timer fires; during a look, the time of the next look */
  #nextAt = Number.POSITIVE_INFINITY
  #lookedAt = Number.NEGATIVE_INFINITY
  #isLooking = false
  #tidiedAt = Number.NEGATIVE_INFINITY
  #isClosed = false

  constructor(deps: DeadlinesDeps) {
    this.#deps = deps
  }

  /** Looks now, and then whenever a row is due. */
  start(): void {
    void this.#look()
  }

  /** Fires at `at`, unless the timer fires before. */
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
      // a turn may fail, or leave a damaged row due: entering it again would loop forever
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
