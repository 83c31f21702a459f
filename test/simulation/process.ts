/** One process of a simulated node, from its start to its death. Everything that it receives or sends passes here. It can be paused and
 *  resumed, and it can die before any of its actions on others. @module */
import type { Clock } from '../../ports/clock.ts'
import type { Random } from './random.ts'
import type { Planned, Schedule } from './schedule.ts'

/** The clock of a machine. */
export type Dial = {
  /** ms by which it is fast at the beginning */
  readonly skewMs: number
  /** ms that it gains on true time each ms; negative if it loses */
  readonly drift: number
  /** ms by which the system clock was set; no process measures time with that clock */
  setMs: number
}

export type Fate = 'runs' | 'stands still' | 'is gone'

export class Process {
  /** the machine that it runs on */
  readonly node: string
  readonly bootId: string
  readonly random: Random
  readonly clock: Clock
  fate: Fate = 'runs'
  readonly #schedule: Schedule
  readonly #held: (() => void)[] = []
  readonly #mourners = new Set<() => void>()
  /** number of its actions on others before it dies */
  #left = Number.POSITIVE_INFINITY

  /** @param start number of the process on its machine
   *  @param dial of its machine */
  constructor(node: string, start: number, schedule: Schedule, random: Random, dial: Dial) {
    this.node = node
    this.bootId = `${node}${start}`
    this.#schedule = schedule
    this.random = random
    const aheadMs = (): number => dial.skewMs + (schedule.now - schedule.startedAt) * dial.drift
    this.clock = {
      now: () => Math.round(schedule.now + aheadMs()),
      wallNow: () => Math.round(schedule.now + aheadMs() + dial.setMs),
      setTimeout: (callback, ms) => this.after(ms, callback),
      clearTimeout: timer => schedule.cancel(timer as Planned), // a timer that this scheduler returned
    }
  }

  /** Runs `act` after that time: a message arrives, or a timer fires. */
  after(ms: number, act: () => void): Planned {
    return this.#schedule.after(ms, () => this.#arrive(act))
  }

  /** Called before each action on others.
   *  @returns false if the process dies before it */
  acts(): boolean {
    if (this.fate === 'is gone') return false
    this.#left -= 1
    if (this.#left >= 0) return true
    this.die()
    return false
  }

  /** The process makes `acts` more actions on others, and dies before the next one. */
  dieAfter(acts: number): void {
    this.#left = acts
  }

  die(): void {
    if (this.fate === 'is gone') return
    this.fate = 'is gone'
    this.#held.length = 0
    for (const mourner of [...this.#mourners]) mourner()
  }

  /** @param mourner called when it dies
   *  @returns a function that removes the mourner */
  whenGone(mourner: () => void): () => void {
    this.#mourners.add(mourner)
    return () => this.#mourners.delete(mourner)
  }

  /** Resolves when the process dies, because other work must not wait for a dead process. */
  gone(): Promise<null> {
    return new Promise(resolve => void this.whenGone(() => resolve(null)))
  }

  standStill(): void {
    if (this.fate === 'runs') this.fate = 'stands still'
  }

  /** Delivers everything that arrived during the pause, in any order. */
  goOn(): void {
    if (this.fate !== 'stands still') return
    this.fate = 'runs'
    for (const act of this.#held.splice(0)) this.after(this.random.between(0, 2), act)
  }

  #arrive(act: () => void): void {
    if (this.fate === 'runs') act()
    else if (this.fate === 'stands still') this.#held.push(act)
  }
}
