/** A session at rest: `{ value, context }` of the chart (machines/session.ts), and how it wakes. Waking checks everything that was stored and does nothing
 *  else: no action runs, no timer starts. @module */
import { getNextTransitions } from 'xstate'
import { z } from 'zod'
import { MIGRATIONS, type StoredSnapshot } from './migrations/migrations.ts'
import {
  type AnsweredEffect,
  CHART,
  firstContext,
  type SessionChart,
  type SessionContext,
  type SessionInput,
  type SessionSnapshot,
  type SessionStatus,
  sessionChart,
  sessionFacts,
} from './session.ts'

export type { StoredSnapshot }

const storedSession = z.strictObject({
  value: z.union([
    z.enum(['INITIALIZED', 'PAIRING', 'DONE', 'TIMEOUT', 'CANCELLED']),
    z.strictObject({ CONNECTED: z.enum(['awaiting', 'checking', 'askingNext', 'signing']) }),
  ]),
  context: sessionFacts,
})

/** The part of a snapshot that a row stores: a state and small facts, none of XState's bookkeeping. */
export function storedSnapshot({ value, context }: SessionSnapshot): StoredSnapshot {
  return { value, context }
}

/** Initial snapshot, without starting an actor: the chart has no entry actions. */
export function newSession(machine: SessionChart, input: SessionInput): SessionSnapshot {
  return machine.resolveState({ value: 'INITIALIZED', context: firstContext(input) })
}

/** @param chart number of the chart that wrote the row, at most the current one; a row of a newer chart is left to nodes that know that chart
 *  @throws {Error} for a row that this chart cannot have written */
export function wakeSession(
  machine: SessionChart,
  chart: number,
  stored: StoredSnapshot | null,
): SessionSnapshot {
  const { success, data } = storedSession.safeParse(migrated(chart, stored))
  if (!success) throw new Error(`session chart: the stored snapshot is not one of chart ${chart}`)
  return machine.resolveState(data)
}

/** The facts of a session at rest. Null if the session was closed without its chart, or if this chart cannot have written them. */
export function factsOf(chart: number | null, stored: StoredSnapshot | null): SessionContext | null {
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

/** The states of the chart that only time can leave. */
const OVER: readonly string[] = Object.entries(sessionChart.states)
  .filter(([, { ownEvents }]) => ownEvents.every(isTimer))
  .map(([status]) => status)

/** True if a session in that status has ended: its row is only kept until the retention ends. */
export function isOver(status: SessionStatus): boolean {
  return OVER.includes(status)
}

/** The chart's timer event for the deadline of this state; null while a claim is active. */
export function timerOf(snapshot: SessionSnapshot): `xstate.after.${string}` | null {
  const timer = getNextTransitions(snapshot).find(({ eventType }) => isTimer(eventType))
  return timer && isTimer(timer.eventType) ? timer.eventType : null
}

export function isTimer(eventType: string): eventType is `xstate.after.${string}` {
  return eventType.startsWith('xstate.after.')
}
