/** The allowed commits of a session, and their causes: the table of spec/interface#3 with spec/decisions#d3, #d4 and spec/laws#2, typed by hand. Each commit needs a
 *  cause: a call in progress at the committing node, work that has ended, or time. @module */
import * as assert from 'uvu/assert'
import type { AnsweredEffect } from '../../machines/session.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { isFinal, type Status } from './asks.ts'
import { type Kind, RETENTION_MS, STAY_MS } from './played-node.ts'
import type { Committed } from './shared-store.ts'
import type { MadeCall, StartedWork, World } from './world.ts'

const LEASE_MS = 30_000
const RENEWAL_MS = 10_000

/** One commit, and the row before it. */
type Step = {
  readonly before: SessionRow
  readonly after: SessionRow
  readonly at: Committed
  readonly index: number
}

const CAUSES: readonly (readonly [from: Status, to: Status, call: RegExp])[] = [
  ['INITIALIZED', 'INITIALIZED', /^the frontend turns pairing/],
  ['INITIALIZED', 'PAIRING', /^the app connects/],
  ['INITIALIZED', 'CONNECTED', /^the app connects/],
  ['INITIALIZED', 'CANCELLED', /cancels$|^an app of a later protocol/],
  ['PAIRING', 'CONNECTED', /^the frontend completes pairing/],
  ['PAIRING', 'CANCELLED', /cancels$/],
  ['CONNECTED', 'CONNECTED', /^the app fetches|^the app submits (?:one|two)/],
  ['CONNECTED', 'CANCELLED', /cancels$|^the app submits malformed proofs/],
]

/** The steps of the work on a valid submission, in their order. */
export function workOf({ hasNextSession, issues }: Kind): readonly AnsweredEffect[] {
  return ['check', ...(hasNextSession ? (['askNext'] as const) : []), ...(issues ? (['sign'] as const) : [])]
}

/** Checks every commit of the session from the one with that number on. */
export function assertCommits(world: World, since: number): void {
  const { history } = world
  for (const [index, at] of history.entries()) {
    if (index < since) continue
    const [before, after] = [history[index - 1]?.row, at.row]
    if (index === 0) assertCreated(at)
    else if (!before) assert.unreachable('expected no commit of a session after its deletion')
    else if (after === null) assertForgotten(before, at)
    else assertStep(world, { before, after, at, index })
  }
}

function assertCreated({ row, at }: Committed): void {
  assert.equal([row?.status, row?.version, row?.deadlineAt], ['INITIALIZED', 1, at + STAY_MS], 'creation')
}

function assertForgotten({ status, deadlineAt }: SessionRow, { at }: Committed): void {
  assert.ok(isFinal(status), `expected no deletion in ${status}`)
  assert.ok(at >= deadlineAt, 'a session is not deleted before the end of its retention')
}

function assertStep(world: World, step: Step): void {
  const { before, after } = step
  assert.is(after.version, before.version + 1, 'each commit increases the version by one')
  const since = sinceWhenCaused(world, step)
  const words = `${before.status} > ${after.status}`
  assert.ok(since !== null, `${words}: no possible cause was in progress`)
  if (since === null) return
  assertDeadline(step, since)
  assert.is(after.claimedBody === null, after.claim === null, 'the body is stored exactly with its claim')
  if (before.pairingCode !== after.pairingCode)
    assert.is(before.status, 'INITIALIZED', 'the status at a new pairing code')
  if (after.status === 'PAIRING') assert.ok(after.pairingCode !== null, 'PAIRING without a code')
  if (before.status === 'INITIALIZED' && after.status === 'CONNECTED')
    assert.is(after.pairingCode, null, 'CONNECTED without pairing')
  if (!isFinal(after.status)) assert.is(after.result, null, 'no result before the end')
}

/** Unix ms of the earliest moment at which the cause of a step may have begun; null if it has none. */
function sinceWhenCaused(world: World, step: Step): number | null {
  const { before, after, at } = step
  if (isFinal(before.status)) return null
  if (after.status === 'TIMEOUT')
    return before.claim === null && at.at >= before.deadlineAt ? before.deadlineAt : null
  const [work, calls] = [workCausing(world, step), callsCausing(world, step)]
  if (work) return work.endedAt
  if (before.claim && !after.claim && after.status === 'CONNECTED' && !isVoid(world, step)) return null
  if (before.claim && after.status === 'CONNECTED' && at.by === workerOf(world, before))
    return before.deadlineAt
  if (before.claim && !after.claim && after.status === 'CONNECTED') return before.deadlineAt
  return calls.length === 0 ? null : Math.min(...calls.map(({ beganAt }) => beganAt))
}

function workerOf({ store }: World, { claim }: SessionRow) {
  return claim === null ? undefined : store.viewOf(claim.bootId)
}

/** Calls that may have caused the step: they had begun and were not answered, or their outcome is unknown. */
function callsCausing({ calls }: World, { before, after, at, index }: Step): readonly MadeCall[] {
  const causes = CAUSES.filter(([from, to]) => from === before.status && to === after.status)
  const body = before.claim === null && after.claim !== null ? after.claimedBody : undefined
  return calls.filter(
    ({ title, ask, view, begun, ended, answer }) =>
      causes.some(([, , call]) => call.test(title)) &&
      (body === undefined ? !isClaiming(title) : ask.claims === body) &&
      view === at.by &&
      begun <= index &&
      (answer === null || answer === 'cut' || answer.status === 503 || ended > index),
  )
}

function isClaiming(title: string): boolean {
  return /^the app submits (?:one|two)/.test(title)
}

/** The work whose end caused this step. */
function workCausing({ works, kind }: World, { before, after, at }: Step): StartedWork | undefined {
  const last = workOf(kind).at(-1)
  return works.find(({ claim, effect, end, view }) => {
    if (end === null || view !== at.by || claim !== before.claim?.number) return false
    if (after.status === 'CANCELLED') return end === 'fails' && after.answered !== null
    const isOver = (end === 'valid' && effect === last) || (end === 'invalid' && effect === 'check')
    return after.status === 'DONE' && isOver
  })
}

/** A claim may end without an outcome if its worker is gone or got an error for the commit of the claim. It may also end if its lease is over, or if its work died. */
function isVoid(world: World, { before, at, index }: Step): boolean {
  const { claim } = before
  if (claim === null) return false
  const worker = workerOf(world, before)
  const isUnknown = world.history
    .slice(0, index)
    .some(({ row, by, isUnknown }) => isUnknown && by === worker && row?.claim?.number === claim.number)
  return (
    worker?.fate !== 'works' ||
    at.at >= claim.leaseUntil ||
    isUnknown ||
    world.works.some(({ claim: number, end }) => number === claim.number && end === 'dies')
  )
}

/** Each status has its own stay, whose end does not move. A final status begins the retention. */
function assertDeadline({ before, after, at }: Step, since: number): void {
  assert.ok(after.claim === null || after.claim.leaseUntil <= at.at + LEASE_MS, 'a lease is 30 s')
  if (before.status === after.status) {
    assert.is(after.deadlineAt, before.deadlineAt, 'the deadline of a status does not move')
    return
  }
  const stayMs = isFinal(after.status) ? RETENTION_MS : STAY_MS
  const enteredAt = after.deadlineAt - stayMs
  assert.ok(
    enteredAt >= since && enteredAt <= at.at,
    `the deadline of ${after.status} counts from its beginning`,
  )
  if (after.status === 'TIMEOUT') assert.is(enteredAt, before.deadlineAt, 'TIMEOUT is dated at its deadline')
}

/** The node that committed a claim works on it, and each step of the work begins once. */
export function assertWork({ works, history, store }: World): void {
  const begun = new Set<string>()
  for (const { view, claim, effect } of works) {
    const claimed = history.find(({ row }) => row?.claim?.number === claim)?.row
    assert.ok(claimed, `${effect} of claim ${claim} began before the claim was committed`)
    const { bootId = '' } = claimed?.claim ?? {}
    assert.is(view, store.viewOf(bootId), `${effect} of claim ${claim} began at another node than the claim`)
    assert.not(begun.has(`${claim} ${effect}`), `${effect} of claim ${claim} began twice`)
    begun.add(`${claim} ${effect}`)
  }
}

/** Work on a claim that has ended stops when its node notices: at the next renewal at the latest. */
export function assertNoWorkInVain({ works, history, clock, disturbedAt }: World): void {
  const last = history.at(-1)
  const since = Math.max(last?.at ?? 0, disturbedAt)
  if (clock.now() <= since + RENEWAL_MS) return
  const inVain = works.filter(
    ({ view, claim, end, signal }) =>
      end === null &&
      view.fate === 'works' &&
      !view.isHeld &&
      !signal.aborted &&
      claim !== last?.row?.claim?.number,
  )
  assert.equal(
    inVain.map(({ claim }) => claim),
    [],
    'claims that are over, with work that continues',
  )
}
