/** The laws of answers. Each answer shows the session as it was committed at some moment between the call and its answer (spec/laws#1).
 *  Every repetition of a handled call of the app gets the same answer (spec/laws#2). @module */
import * as assert from 'uvu/assert'
import type { SessionRow } from '../../stores/session-store.ts'
import type { Answer } from '../http/client.ts'
import type { StoreView } from './shared-store.ts'
import type { MadeCall, World } from './world.ts'

const REPLAY_MS = 90_000
const REREAD_MS = 1_000
const LONGEST_WAIT_MS = 15_000

/** Checks every call that was answered since the last check. */
export function assertAnswers(world: World, calls: readonly MadeCall[]): void {
  for (const call of calls) {
    const { answer, title } = call
    if (answer === null || answer === 'cut') continue
    const rows = rowsDuring(world, call)
    const shown = `${title}: ${answer.status} ${answer.text}`
    if (answer.status === 503) assert.ok(isExcused(call, rows), `503 without a fault. ${shown}`)
    else assert.ok(isAllowed(world, call, answer, rows), `no state of the session allows it. ${shown}`)
  }
}

/** The rows of the session from the beginning of a call to its end; null stands for a deleted row. */
function rowsDuring({ history }: World, { begun, ended }: MadeCall): readonly (SessionRow | null)[] {
  return history.slice(begun - 1, ended).map(({ row }) => row)
}

/** True if 503 is allowed: the node is in trouble, the claim has no outcome in time, or the claim ended without an outcome. */
function isExcused(
  { ask, isDisturbed, beganAt, endedAt }: MadeCall,
  rows: readonly (SessionRow | null)[],
): boolean {
  const hasWaited = endedAt - beganAt >= LONGEST_WAIT_MS
  const isVoid = rows.some((row, i) => row?.status === 'CONNECTED' && !row.claim && rows[i - 1]?.claim)
  return isDisturbed || (Boolean(ask.claims) && (hasWaited || isVoid))
}

function isAllowed(
  world: World,
  call: MadeCall,
  answer: Answer,
  rows: readonly (SessionRow | null)[],
): boolean {
  const { ask } = call
  const shown = `${answer.status} ${Object(answer.json).error}`
  if (rows.some(row => row === null) && shown === '400 SESSION_UNKNOWN') return true
  if (shown === ask.refusal && rows.some(row => row && isRefused(call, row)))
    return !rows.every(row => row && isKept(world, call, row))
  // a change by the call itself was committed after its beginning
  const seen = ask.success === 'fresh' ? rows.slice(1) : rows
  const [first] = rows
  return seen.some(row => row && ask.shows(answer, row) && isInTime(call, row, first ?? null))
}

/** True if the status of this row does not allow the call, or if the row handles another submission. */
function isRefused({ ask }: MadeCall, { status, claim, claimedBody }: SessionRow): boolean {
  if (!ask.in.includes(status)) return true
  return claim !== null && ask.claims !== undefined && ask.claims !== claimedBody
}

/** True if the row stores the answer to this call, so that a repeated call would get the same answer. */
function isKept({ calls }: World, { title, endedAt }: MadeCall, { answered }: SessionRow): boolean {
  if (answered === null || endedAt > answered.answeredAt + REPLAY_MS) return false
  return calls.some(
    call =>
      call.title === title &&
      call.answer !== null &&
      call.answer !== 'cut' &&
      call.answer.text === answered.answer.body &&
      call.answer.status === answered.answer.status,
  )
}

/** An answer is repeated for 90 s. A call that began before the answer was stored waited for it, for any time.
 *  @param first the row at the beginning of the call */
function isInTime({ ask, beganAt }: MadeCall, { answered }: SessionRow, first: SessionRow | null): boolean {
  if (ask.success !== 'stored' || answered === null) return true
  return answered.answeredAt !== first?.answered?.answeredAt || beganAt <= answered.answeredAt + REPLAY_MS
}

/** A working node without held work has answered every call, except those that wait for the outcome of
 *  a claim. A node with a failed commit reads the row again within a second. */
export function assertAnswered({ calls, history, clock }: World): void {
  const hasClaim = Boolean(history.at(-1)?.row?.claim)
  const readsAgain = (view: StoreView): boolean => clock.now() < view.failedAt + REREAD_MS
  for (const { answer, view, title, ask } of calls)
    if (answer === null && view.fate === 'works' && !view.isHeld)
      assert.ok(ask.claims && (hasClaim || readsAgain(view)), `${title}: no answer`)
}

/** At most one submission has an outcome, and all its callers got the same bytes. */
export function assertOneOutcome({ calls }: World): void {
  const handled = calls.filter(
    ({ ask, answer }) =>
      ask.claims !== undefined && answer !== null && answer !== 'cut' && answer.status === 200,
  )
  const outcomes = handled.map(({ title, answer }) => `${title}: ${Object(answer).text}`)
  assert.ok(new Set(outcomes).size <= 1, `expected one outcome, got ${[...new Set(outcomes)].join(', ')}`)
}
