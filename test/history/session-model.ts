/** The possible answers of a session by its chart. The moves are those of `machines/session.ts`. The search looks for an order of the calls in which each answer is right
 *  (`linearise.ts`). @module */
import type { StampedEvent } from '../../machines/session-events.ts'
import { statusOf } from '../../machines/session-snapshot.ts'
import type { Inner, Model, Op } from './linearise.ts'
import type { Answer, CallLine, SessionLine } from './lines.ts'
import {
  type Bounds,
  claimedBy,
  firstState,
  lastsUntil,
  moved,
  outcomes,
  type SessionRules,
  type SessionState,
  timers,
} from './session-state.ts'
import type { Wellness } from './wellness.ts'

/** A call, or a status that a stream or a callback showed. */
export type SessionOp = Op &
  (
    | { readonly type: 'call'; readonly call: CallLine; readonly answer: Answer | null }
    | { readonly type: 'seen'; readonly status: string; readonly proofStatus?: string }
  )

/** The time during which the answer to a call of the app is repeated (spec/decisions#replay). */
const REPLAY_MS = 90_000

export function sessionModel(
  session: SessionLine,
  wellness: Wellness,
  rules: SessionRules,
): Model<SessionState, SessionOp> {
  const keys = new WeakMap<SessionState, string>()
  return {
    initial: firstState(session),
    take: (state, op) => taken(state, op, rules),
    inner: (state, open, until) => [
      ...outcomes(state, wellness),
      ...claims(state, open),
      ...timers(state, rules, until),
    ],
    lastsUntil: state => lastsUntil(state, wellness, rules),
    keyOf: state => keyOf(state, keys),
    timesOf: ({ trail, voidedBy }) => `${trail.at(-1)?.earliest} ${trail.at(-1)?.latest} ${voidedBy}`,
  }
}

/** @param keys cache of the keys of earlier states */
function keyOf(state: SessionState, keys: WeakMap<SessionState, string>): string {
  const known = keys.get(state)
  if (known !== undefined) return known
  const { snapshot, trail, claimed, judged, next, stored } = state
  const { value, context } = snapshot
  const key = JSON.stringify([
    value,
    context.pairing,
    trail.map(({ status }) => status),
    claimed?.body,
    judged,
    next,
    stored?.call,
    stored?.body,
  ])
  keys.set(state, key)
  return key
}

function taken(state: SessionState, op: SessionOp, rules: SessionRules): readonly SessionState[] {
  const after = op.type === 'seen' ? seen(state, op) : answered(state, op.call, op.answer, rules)
  return after.map(one => noLaterThan(one, op.endedAt))
}

/** Narrows the times of a state: an operation that met it ended after its beginning. */
function noLaterThan(state: SessionState, endedAt: number): SessionState {
  const last = state.trail.at(-1)
  if (!last || (last.latest <= endedAt && (state.voidedBy ?? 0) <= endedAt)) return state
  const trail = [...state.trail.slice(0, -1), { ...last, latest: Math.min(last.latest, endedAt) }]
  return { ...state, trail, voidedBy: state.voidedBy === null ? null : Math.min(state.voidedBy, endedAt) }
}

function seen(
  state: SessionState,
  { status, proofStatus }: Extract<SessionOp, { readonly type: 'seen' }>,
): readonly SessionState[] {
  const isThere = state.trail.some(entry => entry.status === status)
  return isThere && fitsJudgement(state, status, proofStatus) ? [state] : []
}

/** A result contains `VALID` if and only if the submission was judged valid. */
function fitsJudgement({ judged }: SessionState, status: string, proofStatus: string | undefined): boolean {
  if (status !== 'DONE' || proofStatus === undefined) return true
  return (proofStatus === 'VALID') === (judged === 'VALID')
}

/** @returns the states after a call that took effect now with its answer; a null answer is unknown */
function answered(
  state: SessionState,
  call: CallLine,
  answer: Answer | null,
  rules: SessionRules,
): readonly SessionState[] {
  const { asked } = call
  const status = statusOf(state.snapshot)
  if (status === null) return answer !== null && isUnknownSession(answer) ? [state] : []
  switch (asked.name) {
    case 'status':
    case 'result':
      return answer?.status === 200 ? shown(state, status, answer) : []
    case 'delete':
      return deleted(state, call, answer)
    case 'options':
    case 'pairingcompleted':
      return ofFrontend(state, call, answer)
    default:
      return ofApp(state, call, answer, rules)
  }
}

function isUnknownSession({ status, error }: Answer): boolean {
  return status === 400 && error === 'SESSION_UNKNOWN'
}

function shown(state: SessionState, status: string, { says }: Answer): readonly SessionState[] {
  if (says.status !== status || !fitsJudgement(state, status, says.proofStatus)) return []
  return pointing(state, says.next)
}

/** Every answer shows the same pointer to the next session. A pointer exists only after the valid end of a session with a next one. */
function pointing(state: SessionState, next: string | undefined): readonly SessionState[] {
  if (next === undefined) return [state]
  if (!state.snapshot.context.hasNextSession || state.judged !== 'VALID') return []
  return state.next === null || state.next === next ? [{ ...state, next }] : []
}

function boundsOf({ begunAt, endedAt, answer }: CallLine): Bounds {
  return {
    earliest: begunAt,
    latest: answer === null || answer.status === 503 ? Number.POSITIVE_INFINITY : endedAt,
  }
}

function deleted(state: SessionState, call: CallLine, answer: Answer | null): readonly SessionState[] {
  if (answer !== null && answer.status !== 200) return []
  const after = moved(state, { type: 'cancelled', at: call.begunAt }, boundsOf(call))
  if (after !== null) return [{ ...after, claimed: null }]
  return answer === null ? [] : [state] // a session that has ended does not change
}

function ofFrontend(state: SessionState, call: CallLine, answer: Answer | null): readonly SessionState[] {
  const { asked, begunAt: at } = call
  const event: StampedEvent =
    asked.name === 'options'
      ? { type: 'frontend.chose', method: asked.method, at }
      : { type: 'frontend.paired', at }
  const after = moved(state, event, boundsOf(call))
  if (after === null) return answer?.status === 403 && answer.error === 'UNEXPECTED_REQUEST' ? [state] : []
  const isRight =
    answer === null ||
    (answer.status < 300 && (asked.name !== 'options' || answer.says.method === asked.method))
  return isRight ? [{ ...after, stored: null }] : []
}

function ofApp(
  state: SessionState,
  call: CallLine,
  answer: Answer | null,
  rules: SessionRules,
): readonly SessionState[] {
  const name = callOf(call)
  const { stored } = state
  if (answer === null) return begun(state, call)
  if (stored?.call === name && call.begunAt <= stored.latest + REPLAY_MS + rules.skewMs) {
    const again = repeated(state, stored, answer, call.endedAt)
    if (again !== null) return [again]
    if (call.endedAt < stored.earliest + REPLAY_MS - rules.skewMs) return []
  }
  if (call.asked.name === 'submit' && call.asked.proofs !== 'malformed')
    return isUnknownSession(answer) && isRefused(state, name) ? [state] : []
  const after = begun(state, call)
  if (after.length === 0) return isUnknownSession(answer) ? [state] : []
  return after.filter(one => isAnswerOf(one, call, answer)).map(one => withStored(one, call, answer.body))
}

/** Identifies a repeated call: by its path and its body. */
function callOf({ asked }: CallLine): string {
  return asked.name === 'submit' ? `submit ${asked.body}` : asked.name
}

/** True if another submission is being handled, or if none is allowed. */
function isRefused({ snapshot, claimed }: SessionState, name: string): boolean {
  return (
    !snapshot.matches({ CONNECTED: 'awaiting' }) && (claimed === null || `submit ${claimed.body}` !== name)
  )
}

/** The same answer to the same call; null if the answer differs. */
function repeated(
  state: SessionState,
  stored: Exclude<SessionState['stored'], null>,
  answer: Answer,
  endedAt: number,
): SessionState | null {
  if (stored.body !== null) return stored.body === answer.body ? state : null
  if (!fitsOutcome(state, stored.call, answer)) return null
  const [pointed] = pointing(state, answer.says.next)
  return pointed
    ? { ...pointed, stored: { ...stored, body: answer.body, latest: Math.min(stored.latest, endedAt) } }
    : null
}

/** True if the first answer to a call fits this outcome. */
function fitsOutcome({ judged, snapshot }: SessionState, call: string, answer: Answer): boolean {
  if (!call.startsWith('submit ')) return answer.status === 200
  if (judged === 'failed' || statusOf(snapshot) !== 'DONE')
    return answer.status >= 400 && !isUnknownSession(answer)
  return answer.status === 200 && (answer.says.proofStatus === 'VALID') === (judged === 'VALID')
}

/** The states after a call of the app, for any answer. */
function begun(state: SessionState, call: CallLine): readonly SessionState[] {
  const { asked, begunAt: at } = call
  const bounds = boundsOf(call)
  if (asked.name === 'submit' && asked.proofs !== 'malformed') return claimedBy(state, asked, at)
  const event: StampedEvent =
    asked.name === 'connect'
      ? { type: 'app.connected', protocolVersion: '2.8', at }
      : { type: asked.name === 'request' ? 'app.fetched' : 'app.failed', at }
  const after = moved(state, event, bounds)
  return after === null ? [] : [withStored(after, call, null)]
}

function withStored(state: SessionState, call: CallLine, body: string | null): SessionState {
  return { ...state, stored: { call: callOf(call), body, ...boundsOf(call) } }
}

function isAnswerOf({ snapshot }: SessionState, { asked }: CallLine, answer: Answer): boolean {
  if (asked.name === 'submit') return answer.status >= 400 && !isUnknownSession(answer)
  if (answer.status !== 200) return false
  return asked.name !== 'connect' || answer.says.isPairing === snapshot.matches('PAIRING')
}

/** A submission that is answered later may be claimed in the meantime. */
function claims(state: SessionState, open: readonly SessionOp[]): readonly Inner<SessionState>[] {
  return open.flatMap(op => {
    if (op.type !== 'call' || op.call.asked.name !== 'submit' || op.call.asked.proofs === 'malformed')
      return []
    if (op.answer === null) return []
    return claimedBy(state, op.call.asked, op.begunAt).map(after => ({ state: after, notBefore: op.begunAt }))
  })
}
