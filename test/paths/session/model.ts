/** The expected session while a path is played. The session chart receives the same events at the same times as the server, and gives the values that
 *  every observer must see. @module */
import { transition } from 'xstate'
import {
  type SessionContext,
  type SessionInput,
  type SessionSnapshot,
  type SessionStatus,
  sessionChart,
} from '../../../machines/session.ts'
import type { StampedEvent } from '../../../machines/session-events.ts'
import { newSession, sessionDue, statusOf, storedSnapshot } from '../../../machines/session-snapshot.ts'
import { isTimer } from '../../../machines/timers.ts'
import { CLAIM } from '../session-events.ts'
import { effectsOf, type SessionEdge } from '../session-paths.ts'

/** A claim number that no session reaches. */
const NO_CLAIM = 1_000_000

/** The outcome of a session, as in its result. */
export type ModelOutcome = { readonly proofStatus?: string; readonly error?: string }

export class SessionModel {
  outcome: ModelOutcome = {}
  /** counts commits, from 1 */
  version = 1
  /** changes of status so far */
  readonly changes: SessionStatus[] = []
  /** number of due callbacks */
  owed = 0
  #snapshot: SessionSnapshot
  readonly #claims: number[] = []

  constructor(input: SessionInput) {
    this.#snapshot = newSession(sessionChart, input)
  }

  get context(): SessionContext {
    return this.#snapshot.context
  }

  /** null: deleted */
  get status(): SessionStatus | null {
    return statusOf(this.#snapshot)
  }

  /** The event of an edge with its time, which is now. The event of a deadline has the time of the deadline, even if it is noticed later. */
  stamped({ event }: SessionEdge, now: number): StampedEvent {
    if (isTimer(event.type)) return sessionDue(this.#snapshot) ?? { type: event.type, at: now }
    if (event.type === 'app.submitted') return { ...event, at: now, claim: this.version + 1 }
    return 'claim' in event ? { ...event, at: now, claim: this.#claimOf(event.claim) } : { ...event, at: now }
  }

  /** Applies an event that the chart accepts.
   *  @returns the effects that the step requests */
  move(event: StampedEvent): readonly string[] {
    const before = this.status
    const effects = effectsOf(this.#snapshot, event)
    const [moved] = transition(sessionChart, this.#snapshot, event)
    this.#snapshot = moved
    this.version += 1
    if (event.type === 'app.submitted') this.#claims.push(event.claim)
    if (effects.includes('oweCallback')) this.owed += 1
    if (this.status !== null && this.status !== before) {
      this.changes.push(this.status)
      this.outcome = outcomeOf(event, before, this.status)
    }
    return effects
  }

  /** The expected content of the store; null if the session is deleted. */
  row(): object | null {
    if (this.status === null) return null
    const { deadlineAt, claim, leaseUntil } = this.context
    return {
      version: this.version,
      status: this.status,
      deadlineAt,
      claim: claim === null ? null : { number: claim, leaseUntil: leaseUntil },
      snapshot: storedSnapshot(this.#snapshot),
    }
  }

  /** The number of the real claim for a number of the path. A former claim is the one before the last, or else a number that was never used. A later claim was never made. */
  #claimOf(number: number): number {
    const last = this.#claims.at(-1)
    if (last === undefined || number > CLAIM) return NO_CLAIM
    return number === CLAIM ? last : (this.#claims.at(-2) ?? last - 1)
  }
}

/** The part of the result that a step adds: the type of an error, or the proof status of the work. */
function outcomeOf(event: StampedEvent, before: SessionStatus | null, after: SessionStatus): ModelOutcome {
  if (event.type === 'server.failed') return { error: 'MALFORMED_INPUT' }
  if (event.type === 'app.failed')
    return { error: before === 'INITIALIZED' ? 'MALFORMED_INPUT' : 'INVALID_REQUEST' }
  if (after !== 'DONE') return {}
  return { proofStatus: event.type === 'server.checked' && !event.isValid ? 'INVALID' : 'VALID' }
}
