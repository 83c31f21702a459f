/** Deliveries in memory. What has ended stays for its log line as in a file, but no more of it than a bound; it is kept apart and in the order in which
 *  it ended, so that whoever looks for what is due does not walk through it. @module */
import type { DeliveryRow, DeliveryStore, ListedDelivery } from '../delivery-store.ts'
import type { RowChange } from '../store.ts'

/** The most deliveries that have ended and are kept. */
const MAX_ENDED = 10_000

type Rows = Map<string, DeliveryRow>

export class MemoryDeliveries implements DeliveryStore {
  readonly #open: Rows = new Map()
  /** the first that ended, and so the first that is due to be forgotten, stands first */
  readonly #ended: Rows = new Map()

  /** by id, in the order in which they became owed */
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
    const rows = hasEnded ? this.#ended : this.#open
    rows.set(row.id, row)
    const [oldest] = this.#ended.keys()
    if (oldest !== undefined && this.#ended.size > MAX_ENDED) this.#remove(oldest)
  }

  async load(id: string): Promise<DeliveryRow | null> {
    return this.#find(id)
  }

  isOfVersion({ id, version }: RowChange<DeliveryRow>): boolean {
    return this.#find(id)?.version === version
  }

  /** @throws {Error} for a delivery that is stored already */
  refuseRepeated({ id }: DeliveryRow): void {
    if (this.has(id)) throw new Error(`memory store: owed row ${id} exists`)
  }

  set({ id, row }: RowChange<DeliveryRow>): void {
    if (row) this.put(row)
    else this.#remove(id)
  }

  async dueOf(host: string, at: number, limit: number): Promise<readonly string[]> {
    const due = this.#due(at).filter(row => row.host === host)
    return due.slice(0, limit).map(({ id }) => id)
  }

  async nextDueAfter(at: number): Promise<number | null> {
    const open = inTime([...this.#open.values()].filter(({ dueAt }) => dueAt > at))[0]
    for (const { dueAt } of this.#ended.values()) if (dueAt > at) return Math.min(dueAt, open?.dueAt ?? dueAt)
    return open?.dueAt ?? null
  }

  async dueHosts(at: number, limit: number): Promise<readonly string[]> {
    return [...new Set(this.#due(at).map(({ host }) => host))].slice(0, limit)
  }

  async sending(): Promise<readonly string[]> {
    const sending = [...this.#open.values()].filter(({ state }) => state === 'sending')
    return inTime(sending).map(({ id }) => id)
  }

  async list(): Promise<readonly DeliveryRow[]> {
    return [...this.#ended.values(), ...this.#open.values()].sort(
      (a, b) => this.#numberOf(a) - this.#numberOf(b),
    )
  }

  async count(): Promise<number> {
    return this.#numbers.size
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

  #due(at: number): DeliveryRow[] {
    const due = [...this.#open.values()].filter(row => row.dueAt <= at)
    for (const row of this.#ended.values()) {
      if (row.dueAt > at) break
      due.push(row)
    }
    return inTime(due)
  }

  #remove(id: string): void {
    this.#open.delete(id)
    this.#ended.delete(id)
    this.#numbers.delete(id)
  }
}

function inTime(rows: DeliveryRow[]): DeliveryRow[] {
  return rows.sort((a, b) => a.dueAt - b.dueAt)
}
