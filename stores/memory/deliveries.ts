/** Deliveries in memory. Ended deliveries are kept for their log line, as in a file, but at most `MAX_ENDED`. Rows are indexed by due time, so that
 *  finding due rows does not scan the others. @module */
import type { DeliveryParty, DeliveryRow, DeliveryStore, ListedDelivery } from '../delivery-store.ts'
import type { RowChange } from '../store.ts'
import { DueIndex } from './due-index.ts'

/** The maximum number of ended deliveries in memory. */
const MAX_ENDED = 10_000

type Rows = Map<string, DeliveryRow>

export class MemoryDeliveries implements DeliveryStore {
  readonly #open: Rows = new Map()
  /** in the order in which they ended, the first first */
  readonly #ended: Rows = new Map()
  readonly #sending = new Set<string>()
  /** rows that are due later than `#lookedAt` */
  readonly #later = new DueIndex()
  /** all other rows, by host */
  readonly #due = new Map<string, DueIndex>()
  #lookedAt = Number.NEGATIVE_INFINITY
  /** number of open deliveries by host and by requestor */
  readonly #owed = new Map<string, number>()

  /** position by id, in the order in which they were added */
  readonly #numbers = new Map<string, number>()
  #count = 0

  has(id: string): boolean {
    return this.#open.has(id) || this.#ended.has(id)
  }

  put(row: DeliveryRow): void {
    const number = this.#numbers.get(row.id) ?? ++this.#count
    this.#remove(row.id)
    this.#numbers.set(row.id, number)
    const hasEnded = row.state === 'delivered' || row.state === 'givenUp'
    if (hasEnded) this.#ended.set(row.id, row)
    else {
      this.#open.set(row.id, row)
      this.#countOpen(row, 1)
    }
    if (row.state === 'sending') this.#sending.add(row.id)
    this.#index(row)
    const [oldest] = this.#ended.keys()
    if (oldest !== undefined && this.#ended.size > MAX_ENDED) this.#remove(oldest)
  }

  async load(id: string): Promise<DeliveryRow | null> {
    return this.#find(id)
  }

  isOfVersion({ id, version }: RowChange<DeliveryRow>): boolean {
    return this.#find(id)?.version === version
  }

  /** @throws {Error} if the delivery is already stored */
  refuseRepeated({ id }: DeliveryRow): void {
    if (this.has(id))
      throw new Error(`memory store: expected a new delivery, got ${id}, which is stored already`)
  }

  set({ id, row }: RowChange<DeliveryRow>): void {
    if (row) this.put(row)
    else this.#remove(id)
  }

  async dueOf(host: string, at: number, limit: number): Promise<readonly string[]> {
    this.#look(at)
    return this.#due.get(host)?.due(at, limit, () => true) ?? []
  }

  async nextDueAfter(at: number): Promise<number | null> {
    this.#look(at)
    return this.#later.nextAfter(at, () => true)
  }

  async dueHosts(at: number, limit: number): Promise<readonly string[]> {
    this.#look(at)
    return [...this.#due.keys()].slice(0, limit)
  }

  async sending(): Promise<readonly string[]> {
    const sending = [...this.#sending].flatMap(id => this.#open.get(id) ?? [])
    return sending.sort((a, b) => a.dueAt - b.dueAt).map(({ id }) => id)
  }

  async list(): Promise<readonly DeliveryRow[]> {
    return [...this.#ended.values(), ...this.#open.values()].sort(
      (a, b) => this.#numberOf(a) - this.#numberOf(b),
    )
  }

  async count(): Promise<number> {
    return this.#numbers.size
  }

  async countOwed(by: DeliveryParty, limit: number): Promise<number> {
    return Math.min(limit, this.#owed.get(keyOf(by)) ?? 0)
  }

  async newest(limit: number): Promise<readonly ListedDelivery[]> {
    return (await this.list()).slice(-limit).reverse()
  }

  #find(id: string): DeliveryRow | null {
    return this.#open.get(id) ?? this.#ended.get(id) ?? null
  }

  #numberOf({ id }: DeliveryRow): number {
    return this.#numbers.get(id) ?? 0
  }

  /** Moves due rows to the index of their host, each once. If the clock was set back, all rows are sorted again. */
  #look(at: number): void {
    const isBack = at < this.#lookedAt
    this.#lookedAt = at
    if (isBack) {
      this.#due.clear()
      for (const row of [...this.#open.values(), ...this.#ended.values()]) this.#later.set(row.id, row.dueAt)
    }
    for (const id of this.#later.take(at)) {
      const row = this.#find(id)
      if (row) this.#index(row)
    }
  }

  #index(row: DeliveryRow): void {
    if (row.dueAt > this.#lookedAt) {
      this.#later.set(row.id, row.dueAt)
      return
    }
    const due = this.#due.get(row.host) ?? new DueIndex()
    this.#due.set(row.host, due)
    due.set(row.id, row.dueAt)
  }

  #countOpen({ host, requestor }: DeliveryRow, change: 1 | -1): void {
    for (const key of [keyOf({ host }), ...(requestor === null ? [] : [keyOf({ requestor })])]) {
      const count = (this.#owed.get(key) ?? 0) + change
      if (count === 0) this.#owed.delete(key)
      else this.#owed.set(key, count)
    }
  }

  #remove(id: string): void {
    const open = this.#open.get(id)
    const row = this.#find(id)
    if (!row) return
    if (open) this.#countOpen(open, -1)
    this.#open.delete(id)
    this.#ended.delete(id)
    this.#sending.delete(id)
    this.#numbers.delete(id)
    this.#later.delete(id)
    const due = this.#due.get(row.host)
    due?.delete(id)
    if (due?.size === 0) this.#due.delete(row.host)
  }
}

function keyOf(by: DeliveryParty): string {
  return 'host' in by ? `host ${by.host}` : `requestor ${by.requestor}`
}
