/** One process of a simulated node, from its start to its death: everything that reaches it, and everything that it does to others, passes here. It can stand still
 *  and go on, and it can die before any of the things that it does to others. @module */
import type { Clock } from '../../ports/clock.ts'
import type { Random } from './random.ts'
import type { Planned, Schedule } from './schedule.ts'

/** The clock of a machine. */
export type Dial = {
  /** ms by which it is ahead at the beginning */
  readonly skewMs: number
  /** ms by which it gains on everybody else each ms; negative: it loses */
  readonly drift: number
  /** ms by which somebody has set the clock of its system, which no process counts by */
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
  /** how many things it does to others before it dies */
  #left = Number.POSITIVE_INFINITY

  /** @param start which process of its machine it is
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
      clearTimeout: timer => schedule.cancel(timer as Planned), // one of those that it gave
    }
  }

  /** Something reaches it then, or a timer fires. */
  after(ms: number, act: () => void): Planned {
    return this.#schedule.after(ms, () => this.#arrive(act))
  }

  /** Before it does something to others.
   *  @returns false: it is gone before that */
  acts(): boolean {
    if (this.fate === 'is gone') return false
    this.#left -= 1
    if (this.#left >= 0) return true
    this.die()
    return false
  }

  /** It dies before the next thing that it does to others after so many. */
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
   *  @returns stop */
  whenGone(mourner: () => void): () => void {
    this.#mourners.add(mourner)
    return () => this.#mourners.delete(mourner)
  }

  /** Over when it dies: what waits for a process must not wait for one that is gone. */
  gone(): Promise<null> {
    return new Promise(resolve => void this.whenGone(() => resolve(null)))
  }

  standStill(): void {
    if (this.fate === 'runs') this.fate = 'stands still'
  }

  /** What has reached it meanwhile comes in any order. */
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
