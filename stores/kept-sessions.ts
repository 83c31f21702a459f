/** What a node keeps of the sessions of a store that several nodes share: rows as it last read or committed them, the sessions of requestor tokens, and how many sessions there
 *  are. @module */
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

  /** As this node last read or committed it, null: it has not. */
  recent(id: SessionId): SessionRow | null {
    return this.#rows.get(id)
  }

  /** The session of a requestor token, undefined: the store is to be asked. */
  idOf(token: string): SessionId | undefined {
    return this.#tokens.idOf(token)
  }

  count(): Promise<number> {
    return this.#counted.total()
  }

  /** A row that was read or committed. */
  keep(row: SessionRow): void {
    this.#rows.keepNewer(row)
    this.#tokens.keep(row)
  }

  /** After a commit of this node.
   *  @param before the row that it began with, as far as this node knows */
  committed(
    { version, row }: RowChange<SessionRow>,
    { sessions = [] }: Inserts,
    before: SessionRow | null,
  ): void {
    for (const kept of [...(row ? [row] : []), ...sessions]) this.keep(kept)
    if (row === null && before) this.#tokens.forget(before)
    this.#counted.add(sessions.length + (version === 0 ? 1 : 0) - (row === null ? 1 : 0))
  }

  /** A node has committed that. */
  changed({ id, version }: StatusChange): void {
    this.#rows.forgetBefore(id, version)
  }

  /** Until the outcome of a commit is known, the row is read from the store. */
  forget(id: SessionId): void {
    this.#rows.forget(id)
  }

  /** Answers from before that time are dropped. */
  forgetAnswers(answeredBefore: number): void {
    this.#rows.forgetAll(({ answered }) => answered !== null && answered.answeredAt < answeredBefore)
  }

  /** What was committed may be lost: the store may be another one than before. */
  forgetAll(): void {
    this.#rows.forgetAll(() => true)
    this.#counted.forget()
  }
}
