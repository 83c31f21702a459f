/** Sessions as a kind of actors (spec/interface#3): their chart, the events that time causes, and the row after each event. All functions are pure.
 *  @module */
import {
  ANSWERED_EFFECTS,
  type AnsweredEffect,
  CHART,
  type SessionChart,
  type SessionSnapshot,
  sessionChart,
} from '../../machines/session.ts'
import type { SessionEvent, StampedEvent } from '../../machines/session-events.ts'
import {
  isOver,
  newSession,
  retainedUntil,
  sessionDue,
  sessionDueAt,
  statusOf,
  storedSnapshot,
  wakeSession,
} from '../../machines/session-snapshot.ts'
import { InternalError } from '../../protocol/errors.ts'
import { RESULT_KEPT_MS } from '../../sessions/result.ts'
import { cancelledBy } from '../../sessions/stored-answer.ts'
import type { Claim, SessionRow } from '../../stores/session-store.ts'
import type { Inserts } from '../../stores/store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { owedCallback } from '../deliveries/owed-callback.ts'
import type { Committer, Kind, StepOutcome } from '../kind.ts'
import type { NewSession, Step } from '../sessions.ts'

export type SessionKind = {
  readonly row: SessionRow
  readonly event: SessionEvent
  readonly stamped: StampedEvent
  readonly snapshot: SessionSnapshot
  readonly effect: AnsweredEffect
  /** with the hash of the app's call that the step answers or claims */
  readonly written: Omit<Step, 'event'> & { readonly callHash: string }
  readonly inserts: Inserts
}

/** @param chart for tests of failing charts */
export function sessionKind(chart: SessionChart = sessionChart): Kind<SessionKind> {
  return {
    name: 'session',
    chart,
    number: CHART,
    effects: ANSWERED_EFFECTS,
    wake: row => wakeSession(chart, row.chart ?? 0, row.snapshot, row.claim?.leaseUntil),
    stamped,
    dueAt: sessionDueAt,
    isOver: ({ status }) => isOver(status),
    workerOf: ({ claim }) => claim?.bootId ?? null,
    timeEvent,
    rowAfter,
    insertsOf: (before, after, { named, written }, now) =>
      insertsOf(before, after, named, now, written.opens && firstRow(written.opens, now)),
    closed: closedWithoutChart,
  }
}

/** The row of a new session, in the initial state of its chart. Each column is named, because Node 20 takes five times as long to add so many members to a
 *  copy. */
export function firstRow(session: NewSession, now: number): SessionRow {
  const { columns } = session
  const snapshot = newSession(sessionChart, { ...session, at: now })
  return {
    requestorTokenHash: columns.requestorTokenHash,
    frontendTokenHash: columns.frontendTokenHash,
    sentToken: columns.sentToken,
    requestor: columns.requestor,
    profile: columns.profile,
    request: columns.request,
    nonce: columns.nonce,
    pairingCode: columns.pairingCode,
    clientAuthorization: columns.clientAuthorization,
    sentUpdates: columns.sentUpdates,
    result: columns.result,
    id: hashOfToken(columns.clientToken),
    version: 1,
    chart: CHART,
    status: 'INITIALIZED',
    deadlineAt: snapshot.context.deadlineAt,
    snapshot: storedSnapshot(snapshot),
    claim: null,
    claimedBody: null,
    progress: null,
    answered: null,
  }
}

/** The number of a claim is the version of the commit that begins it. */
function stamped(event: SessionEvent, { version }: SessionRow, at: number): StampedEvent {
  return event.type === 'app.submitted' ? { ...event, at, claim: version + 1 } : { ...event, at }
}

/** The event of the deadline or lease that has elapsed. Its time is the due time, even if it is noticed late. If none has elapsed, the process of the claim is
 *  gone and the claim is voided. */
function timeEvent(row: SessionRow, snapshot: SessionSnapshot, now: number): StampedEvent {
  const due = sessionDue(snapshot)
  if (due !== null && due.at <= now) return due
  if (row.claim) return { type: 'claim.voided', claim: row.claim.number, at: now }
  throw new Error('a deadline has passed where the chart has none')
}

function claimAfter(
  { claim }: SessionRow,
  { claim: number, leaseUntil }: SessionSnapshot['context'],
  callHash: string,
  bootId: string,
): Claim | null {
  if (number === null) return null
  return claim?.number === number ? { ...claim, leaseUntil } : { number, callHash, bootId, leaseUntil }
}

/** @returns null: the session is forgotten */
function rowAfter(
  before: SessionRow,
  { snapshot, written }: StepOutcome<SessionKind>,
  by: Committer,
): SessionRow | null {
  const status = statusOf(snapshot)
  if (status === null) return null
  const { callHash = '', answer, renewsLease } = written
  const version = before.version + 1
  const claim = claimAfter(before, snapshot.context, callHash, by.bootId)
  return {
    ...before,
    ...written.columns,
    version,
    chart: CHART,
    status,
    deadlineAt: snapshot.context.deadlineAt,
    snapshot: storedSnapshot(snapshot),
    claim,
    claimedBody: claim === null ? null : (written.claimedBody ?? before.claimedBody),
    progress: claim === null ? null : (written.progress ?? before.progress),
    answered: renewsLease
      ? kept(before, version)
      : answer
        ? { callHash, version, answeredAt: by.now, answer }
        : null,
  }
}

/** A renewal is invisible to callers: the last answer can still be replayed. */
function kept({ answered, version }: SessionRow, next: number): SessionRow['answered'] {
  return answered?.version === version ? { ...answered, version: next } : answered
}

function insertsOf(
  before: SessionRow,
  after: SessionRow | null,
  named: readonly string[],
  now: number,
  opened?: SessionRow,
): Inserts {
  if (after === null) return {}
  const { id, version, status: newStatus } = after
  return {
    ...(named.includes('oweCallback') && { owed: [owedCallback(after, now)] }),
    ...(opened && { sessions: [opened] }),
    ...(newStatus !== before.status && { change: { id, version, oldStatus: before.status, newStatus } }),
  }
}

/** The row of a session whose chart cannot be used. A final status is kept, because its callback is owed already. */
function closedWithoutChart(before: SessionRow, now: number): { row: SessionRow; inserts: Inserts } {
  const closed = { ...before, version: before.version + 1, chart: null, snapshot: null, answered: null }
  if (before.status !== 'INITIALIZED' && before.status !== 'PAIRING' && before.status !== 'CONNECTED')
    return { row: closed, inserts: {} }
  const context = before.snapshot?.context
  const row: SessionRow = {
    ...closed,
    status: 'CANCELLED',
    ...cancelledBy(new InternalError(), false).columns,
    deadlineAt: retainedUntil(context, now, RESULT_KEPT_MS),
    claim: null,
    claimedBody: null,
    progress: null,
  }
  return { row, inserts: insertsOf(before, row, mayOweCallback(context) ? ['oweCallback'] : [], now) }
}

/** False if the context says that no callback was requested. The context may contain anything. An unrequested callback does no harm: it has no address. */
function mayOweCallback(context: unknown): boolean {
  const { hasCallback }: Record<string, unknown> = { ...(typeof context === 'object' ? context : {}) }
  return hasCallback !== false
}
