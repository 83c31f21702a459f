/** Sessions in an SQLite file that only this process uses. @module */
import { KeptTokens } from '../kept-tokens.ts'
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
  readonly #tokens = new KeptTokens()
  /** counted once and then updated, because a count takes time proportional to the number of rows */
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

  override async findByRequestorToken(token: string): Promise<SessionId | null> {
    return this.#tokens.idOf(token) ?? super.findByRequestorToken(token)
  }

  override async dropAnswers(answeredBefore: number): Promise<void> {
    this.#recent.forgetAll(({ answered }) => answered !== null && answered.answeredAt < answeredBefore)
    await super.dropAnswers(answeredBefore)
  }

  override async count(): Promise<number> {
    return this.#count
  }

  /** To be called before a commit.
   *  @returns the row in memory; null: there is none */
  forget(id: SessionId): SessionRow | null {
    const before = this.#recent.get(id)
    this.#recent.forget(id)
    return before
  }

  /** To be called after a commit.
   *  @param before the return value of `forget` */
  keep(change: RowChange<SessionRow>, { sessions = [] }: Inserts, before: SessionRow | null): void {
    this.#recent.keep(change)
    const opened = change.version === 0 && change.row ? [change.row] : []
    for (const row of [...sessions, ...opened]) this.#tokens.keep(row)
    if (change.row === null && before) this.#tokens.forget(before)
    this.#count += sessions.length + (change.version === 0 ? 1 : 0) - (change.row === null ? 1 : 0)
  }
}
