/** Simulated time, and the single order of all events. An event begins when everything that the previous one caused without waiting has ended. Nothing else drives
 *  a simulation: no timer of the system, no thread, and no socket. @module */

type Act = () => void

/** A planned event, unless it is cancelled. */
export type Planned = {
  readonly at: number
  /** of two at the same time, the one planned first runs first */
  readonly order: number
  act: Act | null
}

export class Schedule {
  /** Unix ms, with fractions */
  now: number
  /** events that have happened */
  count = 0
  readonly startedAt: number
  readonly #heap: Planned[] = []
  #order = 0

  constructor(startAt: number) {
    this.now = startAt
    this.startedAt = startAt
  }

  after(ms: number, act: Act): Planned {
    const planned: Planned = { at: this.now + Math.max(0, ms), order: this.#order++, act }
    this.#push(planned)
    return planned
  }

  cancel(planned: Planned): void {
    planned.act = null
  }

  pause(ms: number): Promise<void> {
    return new Promise(resolve => void this.after(ms, resolve))
  }

  /** Runs events in their order, until `isOver` holds or none is left. */
  async run(isOver: () => boolean): Promise<void> {
    await settled()
    for (let next = this.#pop(); next; next = this.#pop()) {
      if (next.act === null) continue
      this.now = next.at
      this.count += 1
      next.act()
      await settled()
      if (isOver()) return
    }
  }

  #push(planned: Planned): void {
    const heap = this.#heap
    let place = heap.length
    heap.push(planned)
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above]
      if (!parent || !isBefore(planned, parent)) break
      heap[place] = parent
      place = above
    }
    heap[place] = planned
  }

  #pop(): Planned | undefined {
    const heap = this.#heap
    const [first] = heap
    const last = heap.pop()
    if (!last || !first || heap.length === 0) return first
    let place = 0
    for (;;) {
      const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]]
      const lesser = right && left && isBefore(right, left) ? right : left
      if (!lesser || !isBefore(lesser, last)) break
      heap[place] = lesser
      place = 2 * place + (lesser === left ? 1 : 2)
    }
    heap[place] = last
    return first
  }
}

function isBefore(one: Planned, other: Planned): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}

/** Lets promises and the steps of streams continue as far as they can without waiting. */
function settled(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
