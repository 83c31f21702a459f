/** One step of a live actor, in memory: the event as the chart gets it, the question whether it may happen, the move. @module */
import type { SessionEvent, SessionSnapshot, StampedEvent } from '../machines/session.ts'
import { timerOf } from '../machines/session-snapshot.ts'
import type { SessionRow } from '../stores/session-store.ts'
import type { SessionActor } from './wards.ts'

/** A step that ended in an error: a bug of ours. */
export class ChartFailure extends Error {
  override readonly name: string = 'ChartFailure'
  constructor(cause: unknown) {
    super('the chart failed', { cause })
  }
}

/** A row that the chart cannot read. */
export class WakeFailure extends ChartFailure {
  override readonly name = 'WakeFailure'
}

/** @throws {WakeFailure} */
export function wake(take: () => SessionActor): SessionActor {
  try {
    return take()
  } catch (error) {
    throw new WakeFailure(error)
  }
}

/** The number of a claim is the version of the commit that begins it. */
export function stamped(event: SessionEvent, { version }: SessionRow, at: number): StampedEvent {
  return event.type === 'app.submitted' ? { ...event, at, claim: version + 1 } : { ...event, at }
}

/** What time alone has caused: the claim is void, or the deadline has passed; it happened then, however late it is noticed. */
export function eventOfTime(row: SessionRow, snapshot: SessionSnapshot, now: number): StampedEvent {
  if (row.claim) return { type: 'claim.voided', claim: row.claim.number, at: now }
  const type = timerOf(snapshot)
  if (type === null) throw new ChartFailure(new Error('a deadline has passed where the chart has none'))
  return { type, at: row.deadlineAt }
}

/** XState drops a forbidden event in silence, so it is asked first.
 *  @throws {ChartFailure} */
export function canTake(actor: SessionActor, event: StampedEvent): boolean {
  try {
    return actor.getSnapshot().can(event)
  } catch (error) {
    throw new ChartFailure(error)
  }
}

/** @throws {ChartFailure} */
export function move(actor: SessionActor, event: StampedEvent): SessionSnapshot {
  actor.send(event)
  const moved = actor.getSnapshot()
  if (moved.status === 'error') throw new ChartFailure(moved.error)
  return moved
}
