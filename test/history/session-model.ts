/** What a session may be answered, by its chart: the moves are those of `machines/session.ts`, and an order of the calls is looked for in which each answer is right
 *  (`linearise.ts`). @module */
import type { StampedEvent } from '../../machines/session.ts'
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

/** A call, or a status that somebody was told by a stream or a callback. */
export type SessionOp = Op &
  (
    | { readonly type: 'call'; readonly call: CallLine; readonly answer: Answer | null }
    | { readonly type: 'seen'; readonly status: string; readonly proofStatus?: string }
  )

/** The time for which the answer to a call of the app is repeated (decisions: replay). */
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

/** @param keys of states that were asked for theirs before */
function keyOf(state: SessionState, keys: WeakMap<SessionState, string>): string {
  const known = keys.get(state)
  if (known !== undefined) return known
  const { snapshot, trail, claimed, judged, next, stored } = state
  const { value, context } = snapshot
  const key = JSON.stringify([
    ...[value, context.pairing, trail.map(({ status }) => status), claimed?.body, judged, next],
    ...[stored?.call, stored?.body],
  ])
  keys.set(state, key)
  return key
}

function taken(state: SessionState, op: SessionOp, rules: SessionRules): readonly SessionState[] {
  const after = op.type === 'seen' ? seen(state, op) : answered(state, op.call, op.answer, rules)
  return after.map(one => noLaterThan(one, op.endedAt))
}

/** What an operation has met was there before its end. */
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

/** Only what was found right is said to be right. */
function fitsJudgement({ judged }: SessionState, status: string, proofStatus: string | undefined): boolean {
  if (status !== 'DONE' || proofStatus === undefined) return true
  return (proofStatus === 'VALID') === (judged === 'VALID')
}

/** @returns the states after a call that took effect now and was answered so; null: nobody knows its answer */
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

/** The pointer to the next session is the same whoever tells it, and there is one only after a chain's valid end. */
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
  return answer === null ? [] : [state] // of a session that is over nothing changes
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

/** How a call is known again: by its path and its body. */
function callOf({ asked }: CallLine): string {
  return asked.name === 'submit' ? `submit ${asked.body}` : asked.name
}

/** Where another submission is handled, or none may be. */
function isRefused({ snapshot, claimed }: SessionState, name: string): boolean {
  return (
    !snapshot.matches({ CONNECTED: 'awaiting' }) && (claimed === null || `submit ${claimed.body}` !== name)
  )
}

/** The same answer to the same call; null: it is another. */
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

/** Whether an answer that nobody was told before is one of this outcome. */
function fitsOutcome({ judged, snapshot }: SessionState, call: string, answer: Answer): boolean {
  if (!call.startsWith('submit ')) return answer.status === 200
  if (judged === 'failed' || statusOf(snapshot) !== 'DONE')
    return answer.status >= 400 && !isUnknownSession(answer)
  return answer.status === 200 && (answer.says.proofStatus === 'VALID') === (judged === 'VALID')
}

/** The states after a call of the app, whatever it is answered. */
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

/** A submission that is answered later is claimed meanwhile. */
function claims(state: SessionState, open: readonly SessionOp[]): readonly Inner<SessionState>[] {
  return open.flatMap(op => {
    if (op.type !== 'call' || op.call.asked.name !== 'submit' || op.call.asked.proofs === 'malformed')
      return []
    if (op.answer === null) return []
    return claimedBy(state, op.call.asked, op.begunAt).map(after => ({ state: after, notBefore: op.begunAt }))
  })
}
