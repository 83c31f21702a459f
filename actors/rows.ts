/** How a row follows from the row before it: what a commit writes, besides the step itself. Values in, values out. @module */
import { CHART, type SessionSnapshot } from '../machines/session.ts'
import { statusOf, storedSnapshot } from '../machines/session-snapshot.ts'
import { InternalError } from '../protocol/errors.ts'
import type { Claim, Inserts, SessionRow } from '../stores/session-store.ts'
import { hashOfToken } from '../stores/token-hash.ts'
import { owedCallback } from './owed-callback.ts'
import type { NewSession, Step } from './sessions.ts'
import { cancelledBy } from './stored-answer.ts'

/** Of a session whose snapshot says nothing: D4. */
const DEFAULT_RETENTION_MS = 300_000

/** A step, and the call of the app that it answers or claims. */
export type Delivery = Step & { readonly callHash?: string }
export type Written = Omit<Delivery, 'event'>

/** Who commits, and when; a claim that begins is theirs until the lease ends. */
export type Committer = { readonly bootId: string; readonly leaseUntil: number; readonly now: number }

/** @param snapshot what its chart begins in */
export function firstRow({ columns }: NewSession, snapshot: SessionSnapshot): SessionRow {
  return {
    ...columns,
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

/** The lease runs from the last step or renewal of the work on the claim: what others do meanwhile says nothing about whoever works. */
function claimAfter(
  { claim }: SessionRow,
  number: number | null,
  { callHash = '', progress, renewsLease }: Written,
  { bootId, leaseUntil }: Committer,
): Claim | null {
  if (number === null) return null
  if (claim?.number !== number) return { number, callHash, bootId, leaseUntil }
  return progress === undefined && !renewsLease ? claim : { ...claim, leaseUntil }
}

/** @param snapshot where the step led to
 *  @returns null: the session is forgotten, its row is to be deleted */
export function rowAfter(
  before: SessionRow,
  snapshot: SessionSnapshot,
  written: Written,
  by: Committer,
): SessionRow | null {
  const status = statusOf(snapshot)
  if (status === null) return null
  const { callHash = '', answer, renewsLease } = written
  const version = before.version + 1
  const claim = claimAfter(before, snapshot.context.claim, written, by)
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

/** A lease is nothing that callers see: what was answered last is told again as before. */
function kept({ answered, version }: SessionRow, next: number): SessionRow['answered'] {
  return answered?.version === version ? { ...answered, version: next } : answered
}

/** What the commit of a step does besides its row.
 *  @param now Unix ms of the commit
 *  @param opened the first row of a session that begins with it */
export function insertsOf(
  before: SessionRow,
  after: SessionRow | null,
  effects: readonly string[],
  now: number,
  opened?: SessionRow,
): Inserts {
  if (after === null) return {}
  const { id, version, status: newStatus } = after
  return {
    ...(effects.includes('oweCallback') && { owed: [owedCallback(after, now)] }),
    ...(opened && { sessions: [opened] }),
    ...(newStatus !== before.status && { change: { id, version, oldStatus: before.status, newStatus } }),
  }
}

/** The end of a session that its chart cannot move: by plain columns, since the chart is what failed. A status that was final stays, its
 *  callback is owed already. */
export function closedWithoutChart(before: SessionRow, now: number): { row: SessionRow; inserts: Inserts } {
  const closed = { ...before, version: before.version + 1, chart: null, snapshot: null, answered: null }
  if (before.status !== 'INITIALIZED' && before.status !== 'PAIRING' && before.status !== 'CONNECTED')
    return { row: closed, inserts: {} }
  const facts = factsOf(before.snapshot?.context)
  const row: SessionRow = {
    ...closed,
    status: 'CANCELLED',
    ...cancelledBy(new InternalError(), false).columns,
    deadlineAt: now + (facts.retentionMs ?? DEFAULT_RETENTION_MS),
    claim: null,
    claimedBody: null,
    progress: null,
  }
  return { row, inserts: insertsOf(before, row, facts.hasCallback ? ['oweCallback'] : [], now) }
}

/** What can still be read of a context that may be anything. Owing a callback that nobody asked for does no harm: it has no address. */
function factsOf(context: unknown): { retentionMs: number | null; hasCallback: boolean } {
  const facts: Record<string, unknown> = { ...(typeof context === 'object' ? context : {}) }
  const { retentionMs, hasCallback } = facts
  return {
    retentionMs: Number.isSafeInteger(retentionMs) ? Number(retentionMs) : null,
    hasCallback: hasCallback !== false,
  }
}
