/** The stored form of a session, `{ value, context }` of the chart (machines/session.ts), and how it is restored. Restoring checks everything that was stored.
 *  It runs no action and starts no timer. @module */
import { z } from 'zod'
import { MIGRATIONS, type StoredSnapshot } from './migrations/migrations.ts'
import {
  type AnsweredEffect,
  CHART,
  SESSION_ENDS,
  type SessionChart,
  type SessionSnapshot,
  type SessionStatus,
  sessionChart,
} from './session.ts'
import { firstContext, type SessionFacts, type SessionInput, sessionFacts } from './session-facts.ts'
import { type DueEvent, isTimer, nextDue } from './timers.ts'

export type { StoredSnapshot }

const storedSession = z.strictObject({
  value: z.union([
    z.enum(['INITIALIZED', 'PAIRING', 'DONE', 'TIMEOUT', 'CANCELLED']),
    z.strictObject({ CONNECTED: z.enum(['awaiting', 'checking', 'askingNext', 'signing']) }),
  ]),
  context: sessionFacts,
})

/** The part of a snapshot that a row stores: the state and small facts, without XState's own fields. The lease of a claim has a column of its own. */
export function storedSnapshot({
  value,
  context: { leaseUntil: _, ...context },
}: SessionSnapshot): StoredSnapshot {
  return { value, context }
}

/** Initial snapshot, without starting an actor: the chart has no entry actions. */
export function newSession(machine: SessionChart, input: SessionInput): SessionSnapshot {
  return machine.resolveState({ value: 'INITIALIZED', context: firstContext(input) })
}

/** @param chart number of the chart that wrote the row, at most the current one; a row of a newer chart is left to nodes that know that chart
 *  @param leaseUntil Unix ms; left out: the row has no claim
 *  @throws {Error} for a row that this chart cannot have written */
export function wakeSession(
  machine: SessionChart,
  chart: number,
  stored: StoredSnapshot | null,
  leaseUntil = 0,
): SessionSnapshot {
  const { success, data } = storedSession.safeParse(migrated(chart, stored))
  if (!success) throw new Error(`session chart: the stored snapshot is not one of chart ${chart}`)
  return machine.resolveState({ value: data.value, context: { ...data.context, leaseUntil } })
}

/** The facts of a session at rest. Null if the session was closed without its chart, or if this chart cannot have written them. */
export function factsOf(chart: number | null, stored: StoredSnapshot | null): SessionFacts | null {
  if (chart === null || chart > CHART) return null
  return storedSession.safeParse(migrated(chart, stored)).data?.context ?? null
}

/** The snapshot as the current chart would have written it. */
function migrated(chart: number, stored: StoredSnapshot | null): StoredSnapshot | null {
  if (chart === CHART || stored === null) return stored
  const migrate = MIGRATIONS.get(chart)
  if (!migrate) throw new Error(`session chart: expected a number up to ${CHART} that is known, got ${chart}`)
  return migrated(chart + 1, migrate(stored))
}

/** The protocol version that was negotiated with the app.
 *  @throws {TypeError} for a session that no app has connected to */
export function protocolVersionOf(stored: StoredSnapshot | null): string {
  const context = stored?.context
  if (typeof context === 'object' && context !== null && 'protocolVersion' in context)
    if (typeof context.protocolVersion === 'string') return context.protocolVersion
  throw new TypeError('expected a session with a protocol version, got one without')
}

/** The effect that the active claim is performing; null: no claim is active. */
export function effectOf(stored: StoredSnapshot | null): AnsweredEffect | null {
  const { CONNECTED: state }: Record<string, unknown> = { ...Object(stored?.value) }
  if (state === 'checking') return 'check'
  if (state === 'askingNext') return 'askNext'
  return state === 'signing' ? 'sign' : null
}

/** @returns null for a forgotten session */
export function statusOf({ value }: SessionSnapshot): SessionStatus | null {
  if (typeof value !== 'string') return 'CONNECTED'
  return value === 'forgotten' ? null : value
}

/** The states that a session can leave only by a timer. */
const OVER: readonly string[] = Object.entries(sessionChart.states)
  .filter(([, { ownEvents }]) => ownEvents.every(isTimer))
  .map(([status]) => status)

/** True if a session in that status has ended: its row is only kept until the retention ends. */
export function isOver(status: SessionStatus): boolean {
  return OVER.includes(status)
}

/** The next timer event: during a claim the end of its lease, after the end of the session the end of its retention. Null: the session is forgotten. */
export function sessionDue(snapshot: SessionSnapshot): DueEvent | null {
  return nextDue(snapshot, SESSION_ENDS)
}

/** The time of that event, from the columns of a row. During a claim only the lease counts, not the deadline. @returns Unix ms */
export function sessionDueAt({ claim, deadlineAt }: Timetable): number {
  return claim === null ? deadlineAt : claim.leaseUntil
}

type Timetable = { readonly claim: { readonly leaseUntil: number } | null; readonly deadlineAt: number }

type Stay = {
  readonly status: SessionStatus
  readonly deadlineAt: number
  readonly snapshot: StoredSnapshot | null
}

/** Unix ms at which a session entered its status: its deadline minus the fixed length of the status. Null: the session was closed without its chart. */
export function enteredAt({ status, deadlineAt, snapshot }: Stay): number | null {
  const stay = status === 'INITIALIZED' ? 'timeoutMs' : isOver(status) ? 'retentionMs' : 'connectedTimeoutMs'
  const stayMs = lengthIn(snapshot?.context, stay)
  return stayMs === null ? null : deadlineAt - stayMs
}

/** Unix ms: end of the retention of a session that is closed at `at` without its chart.
 *  @param context as stored; it may contain anything
 *  @param otherwiseMs the retention if the context has none */
export function retainedUntil(context: unknown, at: number, otherwiseMs: number): number {
  return at + (lengthIn(context, 'retentionMs') ?? otherwiseMs)
}

function lengthIn(context: unknown, name: keyof SessionFacts): number | null {
  const facts: Readonly<Record<string, unknown>> = { ...(typeof context === 'object' ? context : {}) }
  const length = facts[name]
  return Number.isSafeInteger(length) ? Number(length) : null
}
