/** The laws of one account, for any concurrent calls (spec/decisions#k13, #lifetimes; spec/keyshare-server#21 properties 2 and 8 to 15). They are typed by hand and use
 *  no chart. @module */
import * as assert from 'uvu/assert'
import type { AccountRow } from '../../../stores/account-store.ts'
import { claimsIn } from '../../crypto/keyshare/recorded.ts'
import type { Committed } from '../shared-store.ts'
import type { AccountCall, AccountWorld } from './world.ts'

const COMMITMENT_MS = 20_000
const LONGEST_SLEEP_MS = 5_000
/** Beyond this number, older attempts without an outcome are dropped for newer ones. */
const MOST_COMPARED = 8

type Change = Committed<AccountRow> & {
  readonly row: AccountRow
  readonly before: AccountRow
  readonly index: number
}

const CHANGE = 'a change with the right PIN'
/** The time during which the answer to a change of the PIN is repeated. */
const REPEAT_MS = 90_000

/** The length of the block that begins with that attempt, in seconds. */
function blockSec(attempts: number): number {
  return attempts < 3 ? 0 : Math.min(86_400, 60 * 2 ** (attempts - 3))
}

export function changesOf({ history }: AccountWorld): readonly Change[] {
  return history.flatMap((committed, index) => {
    const [row, before] = [committed.row, history[index - 1]?.row]
    return row && before ? [{ ...committed, row, before, index }] : []
  })
}

const isReservation = ({ row, before }: Change): boolean => row.attempts === before.attempts + 1
const isReset = ({ row, before }: Change): boolean => row.attempts === 0 && before.attempts > 0
/** The outcome of a right PIN, also if another concurrent comparison has already reset the counter. */
const isAccepted = ({ row, before }: Change): boolean =>
  row.attempts === 0 && row.commitment === before.commitment
const isPinChange = ({ row, before }: Change): boolean => row.tokenIdHash !== before.tokenIdHash
const isPut = ({ row, before }: Change): boolean =>
  row.commitment !== null && row.commitment !== before.commitment
const isTaken = ({ row, before }: Change): boolean => row.commitment === null && before.commitment !== null

/** True if a call with such a title was in progress at the node of a commit, or if the outcome of that call is unknown.
 *  @param since Unix ms by which the call had begun; by default the time of the commit */
function underWay(
  { calls }: AccountWorld,
  { by, index, at }: Change,
  title: RegExp,
  since: number = at,
): boolean {
  return calls.some(
    call =>
      title.test(call.title) &&
      call.view === by &&
      call.beganAt <= since &&
      call.begun <= index &&
      (call.answer === null || call.answer === 'cut' || call.answer.status === 503 || call.ended > index),
  )
}

/** Every attempt is counted before its PIN is compared, and none during a block. Only a right PIN resets the counter. */
export function assertAttempts(world: AccountWorld, since: number): void {
  for (const change of changesOf(world).slice(Math.max(0, since - 1))) {
    const { row, before, at } = change
    if (isReservation(change)) {
      assert.ok(at >= before.blockedUntil, 'an attempt is counted while the account is blocked')
      assert.ok(underWay(world, change, /PIN/), 'an attempt is counted without a call')
      const beganAt = row.blockedUntil - blockSec(row.attempts) * 1_000
      // a paused store may commit long after the call in which the block was decided
      const isBlockOfCall = beganAt <= at && underWay(world, change, /PIN/, beganAt)
      if (row.attempts < 3) assert.is(row.blockedUntil, 0)
      else assert.ok(isBlockOfCall, `the block of attempt ${row.attempts}`)
    } else if (isReset(change))
      assert.ok(underWay(world, change, /right PIN/), 'a counter is reset without the right PIN')
    else assert.equal([row.attempts, row.blockedUntil], [before.attempts, before.blockedUntil])
    if (isPinChange(change))
      assert.ok(underWay(world, change, /change with the right/), 'a PIN is changed without a call')
    if (isPut(change))
      assert.ok(underWay(world, change, /commitments/), 'a commitment is stored without a call')
    else if (isTaken(change)) assertTaken(world, change)
  }
}

function assertTaken(world: AccountWorld, change: Change): void {
  const put = changesOf(world).findLast(each => each.index < change.index && isPut(each))
  const isOver = change.at >= (put?.at ?? 0)
  assert.ok(
    isPinChange(change) || underWay(world, change, /response/) || isOver,
    'a commitment is removed without a response',
  )
}

export function assertAnswers(world: AccountWorld, answered: readonly AccountCall[]): void {
  for (const call of answered) {
    const { answer, title } = call
    if (answer === null || answer === 'cut') continue
    const shown = `${title}: ${answer.status} ${answer.text}`
    if (answer.status === 503) assert.ok(call.isDisturbed, `503 without a fault. ${shown}`)
    else assert.ok(isAllowed(world, call, shown), `no commit explains the answer. ${shown}`)
  }
}

function isAllowed(world: AccountWorld, call: AccountCall, shown: string): boolean {
  const { title, begun, ended, tokenFrom, view } = call
  const changes = changesOf(world)
  const during = changes.filter(({ index }) => index >= begun && index < ended)
  const own = during.filter(({ by }) => by === view)
  const rows = world.history.slice(begun - 1, ended).map(({ row }) => row)
  const isChanged = (from: number): boolean =>
    changes.some(change => change.index >= from && change.index < ended && isPinChange(change))
  if (title.startsWith('a request')) {
    if (/: 40[03] /.test(shown)) return isChanged(tokenFrom)
    if (/: 409 /.test(shown)) return rows.some(row => row?.commitment === null)
    return shown.includes(': 200') && own.some(title.endsWith('commitments') ? isPut : isTaken)
  }
  if (/: 409 /.test(shown))
    return isChanged(begun) || world.calls.filter(each => /PIN/.test(each.title)).length > MOST_COMPARED
  const left = /"failure","message":"([12])"/.exec(shown)?.[1]
  if (left !== undefined)
    return (
      /wrong/.test(title) && own.some(each => isReservation(each) && 3 - each.row.attempts === Number(left))
    )
  if (/"error","message":"[1-9]\d*"/.test(shown)) return rows.some(row => (row?.attempts ?? 0) >= 3)
  if (!/success/.test(shown) || !/right/.test(title)) return false
  return own.some(each => isAccepted(each) || isPinChange(each)) || isRepeat(call, changes)
}

/** True if the same change of the PIN was committed before, and its answer is repeated. */
function isRepeat({ title, ended, beganAt }: AccountCall, changes: readonly Change[]): boolean {
  const isRecent = (change: Change): boolean => change.index < ended && beganAt - change.at <= REPEAT_MS
  return title === CHANGE && changes.some(change => isPinChange(change) && isRecent(change))
}

/** No answer is sent more often than its cause was committed, and no two responses share their w_k. */
export function assertCounts(world: AccountWorld): void {
  const changes = changesOf(world)
  const count = (pattern: RegExp): number =>
    world.calls.filter(({ title, answer }) =>
      pattern.test(`${title} ${Object(answer).status} ${Object(answer).text}`),
    ).length
  for (const attempts of [1, 2]) {
    const reserved = changes.filter(each => isReservation(each) && each.row.attempts === attempts).length
    assert.ok(
      count(new RegExp(`"failure","message":"${3 - attempts}"`)) <= reserved,
      `more answers with ${3 - attempts} tries left than attempts`,
    )
  }
  assert.ok(
    count(/^the right PIN 200 .*success/) <=
      changes.filter(each => isAccepted(each) || isPinChange(each)).length,
    'more answers to a right PIN than commits',
  )
  assert.ok(count(/response 200/) <= changes.filter(isTaken).length, 'more responses than used commitments')
  const mk = world.secretHalf()
  const spent = world.calls.flatMap(({ title, answer }) => {
    if (!title.endsWith('response') || Object(answer).status !== 200) return []
    const { c, s_response: s } = Object(claimsIn(Object(answer).text)).ProofP
    return [String(integerIn(s) - integerIn(c) * mk)]
  })
  assert.is(new Set(spent).size, spent.length, 'two responses share their w_k')
}

function integerIn(base64: string): bigint {
  return BigInt(`0x0${Buffer.from(base64, 'base64').toString('hex')}`)
}

/** No call waits at a working node, and no commitment is stored longer than 20 s. */
export function assertQuiet(world: AccountWorld): void {
  for (const { answer, view, title } of world.calls)
    if (view.fate === 'works' && !view.isHeld) assert.ok(answer !== null, `${title}: no answer`)
  const { clock, disturbedAt } = world
  const isNoticed = [...world.nodes.values()].some(({ view }) => view.fate === 'works' && !view.isHeld)
  const put = changesOf(world).findLast(isPut)
  const since = Math.max((put?.at ?? 0) + COMMITMENT_MS, disturbedAt)
  if (isNoticed && clock.now() > since + LONGEST_SLEEP_MS)
    assert.is(world.history.at(-1)?.row?.commitment, null, 'a commitment is stored longer than 20 s')
}
