/** A session at rest: `{ value, context }` of the chart (machines/session.ts), and the way back. Waking checks everything that was stored
 *  and does nothing else: no action runs, no timer starts. @module */
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

/** What a row keeps of a snapshot: a state and small facts, none of XState's bookkeeping. */
export function storedSnapshot({ value, context }: SessionSnapshot): StoredSnapshot {
  return { value, context }
}

/** What the chart begins in, without an actor that begins: nothing is done on entry. */
export function newSession(machine: SessionChart, input: SessionInput): SessionSnapshot {
  return machine.resolveState({ value: 'INITIALIZED', context: firstContext(input) })
}

/** @param chart number of the chart that wrote it; rows of newer charts are for those who know them, this is for older and equal ones
 *  @throws {Error} for anything that this chart cannot have written */
export function wakeSession(
  machine: SessionChart,
  chart: number,
  stored: StoredSnapshot | null,
): SessionSnapshot {
  const { success, data } = storedSession.safeParse(migrated(chart, stored))
  if (!success) throw new Error(`session chart: the stored snapshot is not one of chart ${chart}`)
  return machine.resolveState(data)
}

/** The facts of a session at rest; null: it was closed without its chart, or this chart cannot have written them. */
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

/** The version that was negotiated with the app.
 *  @throws {TypeError} for a session that no app connected to */
export function protocolVersionOf(stored: StoredSnapshot | null): string {
  const context = stored?.context
  if (typeof context === 'object' && context !== null && 'protocolVersion' in context)
    if (typeof context.protocolVersion === 'string') return context.protocolVersion
  throw new TypeError('expected a session with a protocol version, got one without')
}

/** What the server does while a claim stands; null: none stands. */
export function effectOf(stored: StoredSnapshot | null): AnsweredEffect | null {
  const { CONNECTED: state }: Record<string, unknown> = { ...Object(stored?.value) }
  if (state === 'checking') return 'check'
  if (state === 'askingNext') return 'askNext'
  return state === 'signing' ? 'sign' : null
}

/** @returns null for a session that is forgotten */
export function statusOf({ value }: SessionSnapshot): SessionStatus | null {
  if (typeof value !== 'string') return 'CONNECTED'
  return value === 'forgotten' ? null : value
}

/** The states of the chart that nothing but time can leave. */
const OVER: readonly string[] = Object.entries(sessionChart.states)
  .filter(([, { ownEvents }]) => ownEvents.every(isTimer))
  .map(([status]) => status)

/** Whether a session in that status is over: all that is left is that it is forgotten. */
export function isOver(status: SessionStatus): boolean {
  return OVER.includes(status)
}

/** The chart's own event of the deadline of this state; null while a claim stands. */
export function timerOf(snapshot: SessionSnapshot): `xstate.after.${string}` | null {
  const timer = getNextTransitions(snapshot).find(({ eventType }) => isTimer(eventType))
  return timer && isTimer(timer.eventType) ? timer.eventType : null
}

export function isTimer(eventType: string): eventType is `xstate.after.${string}` {
  return eventType.startsWith('xstate.after.')
}
