/** The answered effects: the work of the server during a claim. They run outside of turns, and never a second time for one claim. @module */
import type { AnsweredEffect } from '../../machines/session.ts'
import type { SessionEvent } from '../../machines/session-events.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { Step } from '../sessions.ts'

/** An event of a claim. The caller of the effect adds the number of the claim. */
type OfClaim<Event> = Event extends { readonly claim: number } ? Omit<Event, 'claim'> : never
type EffectEvent = Exclude<OfClaim<SessionEvent>, { readonly type: 'claim.voided' | 'claim.renewed' }>

/** The outcome of an effect: an event, and the data that its commit may write. If the chart asks for another effect after the event, the commit writes
 *  `progress`, from which that effect continues. Otherwise the claim ends, and the commit writes the other data: the answer, the result, and the session that follows. */
export type EffectOutcome = { readonly event: EffectEvent } & Pick<
  Step,
  'progress' | 'columns' | 'answer' | 'opens'
>

/** @param row as committed, with its claim, the claimed body, and the progress so far
 *  @param signal aborted at the end of the claim: waiting work is no longer needed
 *  @throws any error makes the claim void, and the app may submit again. An effect should throw only if its worker thread died */
export type PerformEffect = (row: SessionRow, signal: AbortSignal) => Promise<EffectOutcome>

export type Effects = Readonly<Record<AnsweredEffect, PerformEffect>>
