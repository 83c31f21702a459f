/** What is due when, in memory: whoever asks for the first does not walk through the others. A heap of times, in which an entry stays that is no longer
 *  true until it comes to the top, or until there are more of those than of the others. @module */

type Entry = { readonly id: string; readonly at: number }

/** The fewest entries worth tidying. */
const LEAST = 64

export class DueIndex {
  #heap: Entry[] = []
  readonly #current = new Map<string, Entry>()

  get size(): number {
    return this.#current.size
  }

  /** @param at Unix ms */
  set(id: string, at: number): void {
    if (this.#current.get(id)?.at === at) return
    const entry = { id, at }
    this.#current.set(id, entry)
    this.#push(entry)
    if (this.#heap.length > 2 * this.#current.size + LEAST) this.#tidy()
  }

  delete(id: string): void {
    this.#current.delete(id)
  }

  /** Ids and their times, the first that is due first; whoever has enough stops. */
  *inOrder(): Generator<Entry> {
    const taken: Entry[] = []
    try {
      for (let entry = this.#pop(); entry; entry = this.#pop()) {
        if (this.#current.get(entry.id) !== entry) continue
        taken.push(entry)
        yield entry
      }
    } finally {
      for (const entry of taken) this.#push(entry)
    }
  }

  /** @returns ids that are due, the first that became due first, at most `limit` of those that are wanted */
  due(until: number, limit: number, isWanted: (id: string) => boolean): readonly string[] {
    const ids: string[] = []
    for (const { id, at } of this.inOrder()) {
      if (at > until || ids.length === limit) break
      if (isWanted(id)) ids.push(id)
    }
    return ids
  }

  /** Removes what is due.
   *  @returns its ids, the first that became due first */
  take(until: number): readonly string[] {
    const ids: string[] = []
    for (let [first] = this.#heap; first && first.at <= until; [first] = this.#heap) {
      this.#pop()
      if (this.#current.get(first.id) !== first) continue
      this.#current.delete(first.id)
      ids.push(first.id)
    }
    return ids
  }

  /** @returns when the next of those that are wanted is due; null: none is */
  nextAfter(after: number, isWanted: (id: string) => boolean): number | null {
    for (const { id, at } of this.inOrder()) if (at > after && isWanted(id)) return at
    return null
  }

  #tidy(): void {
    this.#heap = [...this.#current.values()].sort((a, b) => a.at - b.at) // a sorted list is a heap
  }

  #push(entry: Entry): void {
    const heap = this.#heap
    let place = heap.length
    heap.push(entry)
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above]
      if (!parent || parent.at <= entry.at) break
      heap[place] = parent
      place = above
    }
    heap[place] = entry
  }

  #pop(): Entry | undefined {
    const heap = this.#heap
    const [first] = heap
    const last = heap.pop()
    if (!last || !first || heap.length === 0) return first
    let place = 0
    for (let next = this.#lesserBelow(place); next !== null; next = this.#lesserBelow(place)) {
      const child = heap[next]
      if (!child || child.at >= last.at) break
      heap[place] = child
      place = next
    }
    heap[place] = last
    return first
  }

  /** The place of the child that is due first, null: there is none. */
  #lesserBelow(place: number): number | null {
    const [left, right] = [this.#heap[2 * place + 1], this.#heap[2 * place + 2]]
    if (!left) return null
    return right && right.at < left.at ? 2 * place + 2 : 2 * place + 1
  }
}
