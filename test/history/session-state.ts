/** The states of a session as its chart moves it (`machines/session.ts`), and its internal steps: a claim ends with an outcome or becomes void, and time passes.
 *  The time of an effect is not visible from outside, so each time is kept as the earliest and the latest possible moment. @module */
import { createActor } from 'xstate'
import { type SessionSnapshot, sessionChart } from '../../machines/session.ts'
import type { StampedEvent } from '../../machines/session-events.ts'
import { newSession, sessionDue, statusOf } from '../../machines/session-snapshot.ts'
import type { Inner } from './linearise.ts'
import type { SessionLine } from './lines.ts'
import type { Wellness } from './wellness.ts'

export type Bounds = { readonly earliest: number; readonly latest: number }

type Judged = 'VALID' | 'wrong' | 'failed'

export type SessionState = {
  readonly snapshot: SessionSnapshot
  /** every status so far, the current one last */
  readonly trail: readonly ({ readonly status: string } & Bounds)[]
  /** the submission being handled */
  readonly claimed: { readonly body: string; readonly proofs: string; readonly from: number } | null
  /** the judgement of the handled submission */
  readonly judged: Judged | null
  /** digest of the pointer to the next session, once an answer has shown it */
  readonly next: string | null
  /** the last handled call of the app; `body` once its answer is known */
  readonly stored: ({ readonly call: string; readonly body: string | null } & Bounds) | null
  /** the time at which a claim ended without outcome; from then on the deadline applies again */
  readonly voidedBy: number | null
}

export type SessionRules = {
  /** the longest delay of an action of a node that is well */
  readonly latenessMs: number
  /** the largest difference between the clocks of nodes */
  readonly skewMs: number
}

const CLAIM = 1
const nobody = createActor(sessionChart, {
  input: {
    timeoutMs: 0,
    connectedTimeoutMs: 0,
    retentionMs: 0,
    at: 0,
    hasCallback: false,
    hasNextSession: false,
    issues: false,
  },
})
/** The scope of the chart's transitions: it performs no effect and sets no timer. XState's own function for this creates an actor for each event, which takes most
 *  of the time of a judgement. */
const NOBODY: Parameters<typeof sessionChart.transition>[2] = {
  self: nobody,
  system: nobody.system,
  id: '',
  sessionId: '',
  logger() {},
  defer() {},
  emit() {},
  stopChild() {},
  actionExecutor() {},
}
const FINAL = ['DONE', 'CANCELLED', 'TIMEOUT']

/** The first state of a session. */
export function firstState({ facts, begunAt, endedAt }: SessionLine): SessionState {
  const snapshot = newSession(sessionChart, { ...facts, at: begunAt })
  const trail = [{ status: 'INITIALIZED', earliest: begunAt, latest: endedAt }]
  return { snapshot, trail, claimed: null, judged: null, next: null, stored: null, voidedBy: null }
}

/** The state after an event of the chart that takes effect between these moments; null if the chart refuses it. */
export function moved(
  state: SessionState,
  event: StampedEvent,
  { earliest, latest }: Bounds,
): SessionState | null {
  if (!state.snapshot.can(event)) return null
  const snapshot = sessionChart.transition(state.snapshot, event, NOBODY)
  const [before, after] = [statusOf(state.snapshot), statusOf(snapshot) ?? 'forgotten']
  const trail = before === after ? state.trail : [...state.trail, { status: after, earliest, latest }]
  return { ...state, snapshot, trail, ...(before !== after && { stored: null, voidedBy: null }) }
}

export function claimedBy(
  state: SessionState,
  { body, proofs }: { readonly body: string; readonly proofs: string },
  at: number,
): readonly SessionState[] {
  const after = moved(state, { type: 'app.submitted', claim: CLAIM, at }, { earliest: at, latest: at })
  return after === null
    ? []
    : [{ ...after, claimed: { body, proofs, from: at }, stored: null, voidedBy: null }]
}

/** The possible outcomes of a claim. Its steps follow each other without being visible. */
export function outcomes(state: SessionState, wellness: Wellness): readonly Inner<SessionState>[] {
  const { claimed, snapshot } = state
  if (claimed === null || snapshot.context.claim === null) return []
  const { hasNextSession, issues } = snapshot.context
  const isValid = claimed.proofs === 'VALID'
  const stamp = { claim: CLAIM, at: claimed.from }
  const checked: StampedEvent = { type: 'server.checked', isValid, ...stamp }
  const more: StampedEvent[] = []
  if (isValid && hasNextSession) more.push({ type: 'server.askedNext', ...stamp })
  if (isValid && issues) more.push({ type: 'server.signed', ...stamp })
  const ends = [ended(state, [checked, ...more], isValid ? 'VALID' : 'wrong')]
  if (hasNextSession) ends.push(ended(state, [{ type: 'server.failed', ...stamp }], 'failed'))
  if (wellness.isTroubled(claimed.from, Number.POSITIVE_INFINITY)) ends.push(voided(state, claimed.from))
  return ends.flatMap(after => (after === null ? [] : [{ state: after, notBefore: claimed.from }]))
}

function ended(state: SessionState, events: readonly StampedEvent[], judged: Judged): SessionState | null {
  const { claimed } = state
  if (claimed === null) return null
  const bounds = { earliest: claimed.from, latest: Number.POSITIVE_INFINITY }
  let after: SessionState | null = state
  for (const event of events) after = after && moved(after, event, bounds)
  return (
    after && {
      ...after,
      claimed: null,
      judged,
      stored: { call: `submit ${claimed.body}`, body: null, ...bounds },
    }
  )
}

function voided(state: SessionState, at: number): SessionState | null {
  const event: StampedEvent = { type: 'claim.voided', claim: CLAIM, at }
  const after = moved(state, event, { earliest: at, latest: Number.POSITIVE_INFINITY })
  return after && { ...after, claimed: null, voidedBy: Number.POSITIVE_INFINITY }
}

/** True while the deadline does not count. The end of the lease of a claim is invisible outside. */
function isClaimed({ snapshot }: SessionState): boolean {
  return snapshot.context.claim !== null
}

/** The bounds of the current deadline. */
function deadline({ snapshot: { context }, trail }: SessionState): Bounds {
  const { earliest, latest } = trail.at(-1) ?? { earliest: 0, latest: 0 }
  const stay = context.deadlineAt - earliest
  return { earliest: context.deadlineAt, latest: latest + stay }
}

/** The end of a stay in a status. Its time is the deadline, even if a node notices the deadline later.
 *  @param until ends that begin later are left out */
export function timers(
  state: SessionState,
  { skewMs }: SessionRules,
  until: number,
): readonly Inner<SessionState>[] {
  const bounds = deadline(state)
  const due = bounds.earliest - skewMs > until || isClaimed(state) ? null : sessionDue(state.snapshot)
  if (due === null) return []
  const after = moved(state, { type: due.type, at: bounds.earliest }, bounds)
  return after === null ? [] : [{ state: after, notBefore: bounds.earliest - skewMs }]
}

export function lastsUntil(
  state: SessionState,
  wellness: Wellness,
  { latenessMs, skewMs }: SessionRules,
): number {
  if (isClaimed(state) || sessionDue(state.snapshot) === null) return Number.POSITIVE_INFINITY
  const from = Math.max(deadline(state).latest, state.voidedBy ?? 0)
  return Number.isFinite(from) ? wellness.after(from, latenessMs + skewMs, null) : from
}

/** The final status of the session; null if it has not ended. */
export function finalStatus({ trail }: SessionState): string | null {
  return trail.find(({ status }) => FINAL.includes(status))?.status ?? null
}
