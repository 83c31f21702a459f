/** Sessions in an SQLite file that this process has for itself. @module */

import { RecentRows } from '../recent-rows.ts'
import { lengthOf } from '../session-length.ts'
import type { SessionId, SessionRow } from '../session-store.ts'
import { SqlSessions } from '../sql/sessions.ts'
import type { Inserts, RowChange } from '../store.ts'
import { engineOf, type PartDeps } from './part.ts'
import type { Statements } from './statements.ts'

export class SqliteSessions extends SqlSessions {
  readonly #statements: Pick<Statements, 'assertReadable'>
  readonly #recent: RecentRows<SessionRow>
  /** counted once and then kept: counting rows takes as long as there are rows */
  #count: number

  constructor(deps: PartDeps) {
    super(deps.db, engineOf(deps))
    this.#statements = deps.statements
    this.#recent = new RecentRows(lengthOf)
    const [counted] = deps.statements.all<{ total: number }>('select count(*) as total from sessions')
    this.#count = counted?.total ?? 0
  }

  override async load(id: SessionId): Promise<SessionRow | null> {
    const recent = this.#recent.get(id)
    if (recent === null) return super.load(id)
    this.#statements.assertReadable()
    return recent
  }

  override async dropAnswers(answeredBefore: number): Promise<void> {
    this.#recent.forgetAll(({ answered }) => answered !== null && answered.answeredAt < answeredBefore)
    await super.dropAnswers(answeredBefore)
  }

  override async count(): Promise<number> {
    return this.#count
  }

  /** Before a commit. */
  forget(id: SessionId): void {
    this.#recent.forget(id)
  }

  /** After a commit. */
  keep(change: RowChange<SessionRow>, { sessions = [] }: Inserts): void {
    this.#recent.keep(change)
    this.#count += sessions.length + (change.version === 0 ? 1 : 0) - (change.row === null ? 1 : 0)
  }
}
