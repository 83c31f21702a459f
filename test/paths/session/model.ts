/** What a session is by its chart while a path is played: the chart of the machines is moved by the same events at the same times as the server, and says what
 *  every observer must see. @module */
import { transition } from 'xstate'
import { LEASE_MS } from '../../../actors/kinds/session.ts'
import {
  type SessionContext,
  type SessionInput,
  type SessionSnapshot,
  type SessionStatus,
  type StampedEvent,
  sessionChart,
} from '../../../machines/session.ts'
import { isTimer, newSession, statusOf, storedSnapshot } from '../../../machines/session-snapshot.ts'
import { CLAIM } from '../session-events.ts'
import { effectsOf, type SessionEdge } from '../session-paths.ts'

/** A number of a claim that no session comes to. */
const NO_CLAIM = 1_000_000

/** What a session came to, as its result says it. */
export type Outcome = { readonly proofStatus?: string; readonly error?: string }

export class SessionModel {
  outcome: Outcome = {}
  /** counts commits, from 1 */
  version = 1
  /** the changes of status so far */
  readonly changes: SessionStatus[] = []
  /** how many callbacks are owed */
  owed = 0
  #snapshot: SessionSnapshot
  #leaseUntil = 0
  readonly #claims: number[] = []

  constructor(input: SessionInput) {
    this.#snapshot = newSession(sessionChart, input)
  }

  get context(): SessionContext {
    return this.#snapshot.context
  }

  /** null: forgotten */
  get status(): SessionStatus | null {
    return statusOf(this.#snapshot)
  }

  /** The event of an edge as it happens now; a deadline that has passed happened then, however late it is noticed. */
  stamped({ event }: SessionEdge, now: number): StampedEvent {
    if (isTimer(event.type)) return { ...event, at: this.context.deadlineAt }
    if (event.type === 'app.submitted') return { ...event, at: now, claim: this.version + 1 }
    return 'claim' in event ? { ...event, at: now, claim: this.#claimOf(event.claim) } : { ...event, at: now }
  }

  /** Takes an event that the chart accepts.
   *  @returns the effects that the step asks for */
  move(event: StampedEvent): readonly string[] {
    const before = this.status
    const effects = effectsOf(this.#snapshot, event)
    const [moved] = transition(sessionChart, this.#snapshot, event)
    this.#snapshot = moved
    this.version += 1
    if (event.type === 'app.submitted') this.#claims.push(event.claim)
    // the lease begins anew with each step of the work on a claim, and with each renewal
    if ('claim' in event) this.#leaseUntil = event.at + LEASE_MS
    if (effects.includes('oweCallback')) this.owed += 1
    if (this.status !== null && this.status !== before) {
      this.changes.push(this.status)
      this.outcome = outcomeOf(event, before, this.status)
    }
    return effects
  }

  /** What the store must hold of the session; null: nothing. */
  row(): object | null {
    if (this.status === null) return null
    const { deadlineAt, claim } = this.context
    return {
      ...{ version: this.version, status: this.status, deadlineAt },
      claim: claim === null ? null : { number: claim, leaseUntil: this.#leaseUntil },
      snapshot: storedSnapshot(this.#snapshot),
    }
  }

  /** A former claim is the one before the last, if there was one, else one that never was; so is a later one. */
  #claimOf(number: number): number {
    const last = this.#claims.at(-1)
    if (last === undefined || number > CLAIM) return NO_CLAIM
    return number === CLAIM ? last : (this.#claims.at(-2) ?? last - 1)
  }
}

/** What a step leaves as the result: of an error of these paths its type, and of their work a judgement. */
function outcomeOf(event: StampedEvent, before: SessionStatus | null, after: SessionStatus): Outcome {
  if (event.type === 'server.failed') return { error: 'MALFORMED_INPUT' }
  if (event.type === 'app.failed')
    return { error: before === 'INITIALIZED' ? 'MALFORMED_INPUT' : 'INVALID_REQUEST' }
  if (after !== 'DONE') return {}
  return { proofStatus: event.type === 'server.checked' && !event.isValid ? 'INVALID' : 'VALID' }
}
