/** The answered effects: what the server does while a claim stands. They run outside of turns, and never a second time for one claim. @module */
import type { AnsweredEffect, SessionEvent } from '../../machines/session.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { Step } from '../sessions.ts'

/** What happened to a claim; its number is added by whoever asked for the effect. */
type OfClaim<Event> = Event extends { readonly claim: number } ? Omit<Event, 'claim'> : never
type Outcome = Exclude<OfClaim<SessionEvent>, { readonly type: 'claim.voided' | 'claim.renewed' }>

/** How an effect comes back: an event, and what its commit may write: `progress` if the moved chart asks for another effect, which goes on with it;
 *  else the rest, since the claim ends: the answer, the result, and the session that follows. */
export type EffectOutcome = { readonly event: Outcome } & Pick<
  Step,
  'progress' | 'columns' | 'answer' | 'opens'
>

/** @param row as committed, with its claim, the claimed body, and the progress so far
 *  @param signal aborted when the claim is over: work that waits is not wanted any more
 *  @throws anything: the claim becomes void and the app may submit again, which is right for a dead worker, and for nothing else */
export type PerformEffect = (row: SessionRow, signal: AbortSignal) => Promise<EffectOutcome>

export type Effects = Readonly<Record<AnsweredEffect, PerformEffect>>
