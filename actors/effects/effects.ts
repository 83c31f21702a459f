/** The answered effects: what the server does while a claim stands. They run outside of turns, and never a second time for one claim. @module */
import type { AnsweredEffect } from '../../machines/session.ts'
import type { SessionColumns, SessionRow, StoredAnswer } from '../../stores/session-store.ts'

/** How an effect comes back: an event that ends the claim, and what its commit writes. */
export type EffectOutcome = {
  /** `server.failed`: a remote error, which is the answer (D16) */
  readonly type: 'server.checked' | 'server.failed'
  readonly columns: Pick<SessionColumns, 'result'>
  readonly answer: StoredAnswer
}

/** @param row as committed, with its claim and the claimed body
 *  @throws anything: the claim becomes void and the app may submit again, which is right for a dead worker, and for nothing else */
export type PerformEffect = (row: SessionRow) => Promise<EffectOutcome>

export type Effects = Readonly<Record<AnsweredEffect, PerformEffect>>
