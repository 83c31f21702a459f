/** A cache of sessions, for a node that shares a store with other nodes: rows as this node last read or committed them, the sessions of requestor
 *  tokens, and the number of sessions. @module */
import { KeptCount } from './kept-count.ts'
import { KeptTokens } from './kept-tokens.ts'
import { RecentRows } from './recent-rows.ts'
import { lengthOf } from './session-length.ts'
import type { SessionId, SessionRow, StatusChange } from './session-store.ts'
import type { Inserts, RowChange } from './store.ts'

export class KeptSessions {
  readonly #rows = new RecentRows<SessionRow>(lengthOf)
  readonly #tokens = new KeptTokens()
  readonly #counted: KeptCount

  /** @param count asks the store */
  constructor(now: () => number, count: () => Promise<number>) {
    this.#counted = new KeptCount(now, count)
  }

  /** The row as this node last read or committed it; null: not in memory. */
  recent(id: SessionId): SessionRow | null {
    return this.#rows.get(id)
  }

  /** The session of a requestor token; undefined: the store must be asked. */
  idOf(token: string): SessionId | undefined {
    return this.#tokens.idOf(token)
  }

  count(): Promise<number> {
    return this.#counted.total()
  }

  /** Stores a row that was read or committed. */
  keep(row: SessionRow): void {
    this.#rows.keepNewer(row)
    this.#tokens.keep(row)
  }

  /** To be called after a commit of this node.
   *  @param before the row that the commit began with, if this node has it */
  committed(
    { version, row }: RowChange<SessionRow>,
    { sessions = [] }: Inserts,
    before: SessionRow | null,
  ): void {
    for (const kept of [...(row ? [row] : []), ...sessions]) this.keep(kept)
    if (row === null && before) this.#tokens.forget(before)
    this.#counted.add(sessions.length + (version === 0 ? 1 : 0) - (row === null ? 1 : 0))
  }

  /** To be called after a commit of any node. */
  notify({ id, version }: StatusChange): void {
    this.#rows.forgetBefore(id, version)
  }

  /** Drops the row while the outcome of a commit is unknown; it is then read from the store. */
  forget(id: SessionId): void {
    this.#rows.forget(id)
  }

  /** Drops rows whose answer is older than that time. */
  forgetAnswers(answeredBefore: number): void {
    this.#rows.forgetAll(({ answered }) => answered !== null && answered.answeredAt < answeredBefore)
  }

  /** Drops all rows and the count, because commits may be lost, or another store may have taken the place of the old one. */
  forgetAll(): void {
    this.#rows.forgetAll(() => true)
    this.#counted.forget()
  }
}
