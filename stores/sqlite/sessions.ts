/** Sessions in an SQLite file that this process has for itself. @module */
import type { SessionId, SessionRow } from '../session-store.ts'
import { lengthOf } from '../sql/rows.ts'
import { SqlSessions } from '../sql/sessions.ts'
import type { Inserts, RowChange } from '../store.ts'
import { engineOf, type PartDeps } from './part.ts'
import { RecentRows } from './recent-rows.ts'

export class SqliteSessions extends SqlSessions {
  readonly #recent: RecentRows<SessionRow>
  /** counted once and then kept: counting rows takes as long as there are rows */
  #count: number

  constructor(deps: PartDeps) {
    super(deps.db, engineOf(deps))
    this.#recent = new RecentRows(deps.statements, lengthOf)
    const [counted] = deps.statements.all<{ total: number }>('select count(*) as total from sessions')
    this.#count = counted?.total ?? 0
  }

  override async load(id: SessionId): Promise<SessionRow | null> {
    return this.#recent.get(id) ?? super.load(id)
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
