/** The answered effects: what the server does while a claim stands. They run outside of turns, and never a second time for one claim. @module */
import type { AnsweredEffect, SessionEvent } from '../../machines/session.ts'
import type { SessionColumns, SessionRow, StoredAnswer } from '../../stores/session-store.ts'
import type { NewSession } from '../sessions.ts'

/** What happened to a claim; its number is added by whoever asked for the effect. */
type OfClaim<Event> = Event extends { readonly claim: number } ? Omit<Event, 'claim'> : never
type Outcome = Exclude<OfClaim<SessionEvent>, { readonly type: 'claim.voided' | 'claim.renewed' }>

/** The claim goes on to the next effect. */
export type PartialOutcome = { readonly event: Outcome; readonly progress: string }

/** The claim ends: the answer, the result, and the session that follows. `server.failed`: a remote error, which is the answer (D16). */
export type FinalOutcome = {
  readonly event: Outcome
  readonly columns: Pick<SessionColumns, 'result'>
  readonly answer: StoredAnswer
  readonly opens?: NewSession
}

/** How an effect comes back: an event, and what its commit writes. */
export type EffectOutcome = PartialOutcome | FinalOutcome

/** @param row as committed, with its claim, the claimed body, and the progress so far
 *  @param signal aborted when the claim is over: work that waits is not wanted any more
 *  @throws anything: the claim becomes void and the app may submit again, which is right for a dead worker, and for nothing else */
export type PerformEffect = (row: SessionRow, signal: AbortSignal) => Promise<EffectOutcome>

export type Effects = Readonly<Record<AnsweredEffect, PerformEffect>>
