/** An index by due time in memory, which finds the first entries without a scan. It is a heap. Outdated entries stay in it until they reach the top,
 *  or until they outnumber the valid ones. @module */

type Entry = { readonly id: string; readonly at: number }

/** The minimum number of outdated entries worth tidying. */
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

  /** Ids and their times, the earliest first; the caller may stop early. */
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

  /** @returns ids that are due at `until`, the earliest first, at most `limit`; only those for which `isWanted` is true */
  due(until: number, limit: number, isWanted: (id: string) => boolean): readonly string[] {
    const ids: string[] = []
    for (const { id, at } of this.inOrder()) {
      if (at > until || ids.length === limit) break
      if (isWanted(id)) ids.push(id)
    }
    return ids
  }

  /** Removes the entries that are due at `until`.
   *  @returns their ids, the earliest first */
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

  /** @returns the next due time after `after` of an id for which `isWanted` is true; null: there is none */
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

  /** The position of the child with the earlier time; null: there is no child. */
  #lesserBelow(place: number): number | null {
    const [left, right] = [this.#heap[2 * place + 1], this.#heap[2 * place + 2]]
    if (!left) return null
    return right && right.at < left.at ? 2 * place + 2 : 2 * place + 1
  }
}
