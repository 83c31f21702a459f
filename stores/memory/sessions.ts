/** Sessions in memory. @module */
import { sessionDueAt } from '../../machines/session-snapshot.ts'
import type { ListedSession, SessionId, SessionRow, SessionStore } from '../session-store.ts'
import type { RowChange } from '../store.ts'
import { hashOfToken } from '../token-hash.ts'
import { DueIndex } from './due-index.ts'

export class MemorySessions implements SessionStore {
  readonly #rows = new Map<SessionId, SessionRow>()
  readonly #due = new DueIndex()
  /** session by the hash of its requestor token */
  readonly #requestorTokens = new Map<string, SessionId>()

  async load(id: SessionId): Promise<SessionRow | null> {
    return this.#rows.get(id) ?? null
  }

  async findByRequestorToken(token: string): Promise<SessionId | null> {
    return this.#requestorTokens.get(hashOfToken(token)) ?? null
  }

  async due(until: number, chart: number, limit: number): Promise<readonly SessionId[]> {
    return this.#due.due(until, limit, id => this.#isOfChart(id, chart))
  }

  async nextDueAfter(after: number, chart: number): Promise<number | null> {
    return this.#due.nextAfter(after, id => this.#isOfChart(id, chart))
  }

  async dropAnswers(answeredBefore: number): Promise<void> {
    for (const row of this.#rows.values())
      if (row.answered && row.answered.answeredAt < answeredBefore)
        this.#rows.set(row.id, { ...row, answered: null })
  }

  async count(): Promise<number> {
    return this.#rows.size
  }

  async newest(limit: number): Promise<readonly ListedSession[]> {
    return [...this.#rows.values()].slice(-limit).reverse()
  }

  isOfVersion({ id, version }: RowChange<SessionRow>): boolean {
    return (this.#rows.get(id)?.version ?? 0) === version
  }

  /** @throws {Error} if a session or a requestor token is already stored */
  refuseRepeated({ id, requestorTokenHash }: SessionRow): void {
    if (this.#rows.has(id) || this.#requestorTokens.has(requestorTokenHash))
      throw new Error(`memory store: session ${id} exists`)
  }

  set({ id, row }: RowChange<SessionRow>): void {
    if (row) this.put(row)
    else this.#remove(id)
  }

  put(row: SessionRow): void {
    this.#rows.set(row.id, row)
    this.#due.set(row.id, sessionDueAt(row))
    this.#requestorTokens.set(row.requestorTokenHash, row.id)
  }

  #remove(id: SessionId): void {
    const row = this.#rows.get(id)
    if (row) this.#requestorTokens.delete(row.requestorTokenHash)
    this.#rows.delete(id)
    this.#due.delete(id)
  }

  #isOfChart(id: SessionId, chart: number): boolean {
    const row = this.#rows.get(id)
    return row !== undefined && (row.chart ?? 0) <= chart
  }
}
