/** The keyshare login chart: times, the writes of each commit, and the counted attempts. @module */
import * as assert from 'uvu/assert'
import { getNextSnapshot, transition } from 'xstate'
import { LOGIN_EFFECTS, type LoginSnapshot, loginChart } from '../../machines/keyshare-login.ts'
import type { StampedLoginEvent } from '../../machines/login-events.ts'
import { hasChallenge, loginDue, newLogin, pendingCommitment } from '../../machines/login-snapshot.ts'
import { suite } from '../suite.ts'
import type { UnstampedLoginEvent as Unstamped } from './unstamped-login-event.ts'

const MINUTE = 60_000

/** Unix ms; null: nothing is due. */
const loginDueAt = (snapshot: LoginSnapshot): number | null => loginDue(snapshot)?.at ?? null

/** The event that is due at `now`; null: none. */
function loginTimeEvent(snapshot: LoginSnapshot, now: number): StampedLoginEvent | null {
  const due = loginDue(snapshot)
  return due === null || due.at > now ? null : due
}

const DAY = 24 * 60 * MINUTE

/** An event with its time. */
function stamp(event: Unstamped, at: number): StampedLoginEvent {
  return { ...event, at } as StampedLoginEvent
}

function moved(before: LoginSnapshot, event: Unstamped, at: number): LoginSnapshot {
  const stamped = stamp(event, at)
  assert.ok(before.can(stamped), `expected ${event.type} to be accepted at ${at}`)
  return getNextSnapshot(loginChart, before, stamped)
}

function after(
  events: readonly (readonly [at: number, event: Unstamped])[],
  isDeviceBound = true,
): LoginSnapshot {
  return events.reduce(
    (snapshot, [at, event]) => moved(snapshot, event, at),
    newLogin(loginChart, { isDeviceBound }),
  )
}

const started = { type: 'app.startedLogin' } as const
const answered = (attempt: number) => ({ type: 'app.answered', isRightChallenge: true, attempt }) as const
const sentPin = (attempt: number, isSignedByDevice = true) =>
  ({ type: 'app.sentPin', isSignedByDevice, attempt }) as const
const commitments = (version: 'v1' | 'v2') => ({ type: 'app.requestedCommitments', version }) as const
const response = (version: 'v1' | 'v2') => ({ type: 'app.requestedResponse', version }) as const

const Pending = suite('keyshare login chart: challenge and commitment')

Pending('a challenge ends 6 min after verify_start, and a new challenge replaces that end', () => {
  assert.is(loginDueAt(after([[1_000, started]])), 1_000 + 6 * MINUTE)
  const again = after([
    [1_000, started],
    [5_000, started],
  ])
  assert.is(loginDueAt(again), 5_000 + 6 * MINUTE)
})

Pending('a commitment ends 20 s after getCommitments, and a new commitment replaces that end', () => {
  assert.is(loginDueAt(after([[1_000, commitments('v1')]])), 21_000)
  const replaced = after([
    [1_000, commitments('v1')],
    [9_000, commitments('v2')],
  ])
  assert.equal([loginDueAt(replaced), pendingCommitment(replaced)], [29_000, 'v2'])
})

Pending('a row is due at the earlier of both ends, and never while nothing is pending', () => {
  assert.is(loginDueAt(after([])), null)
  const commitmentFirst = after([
    [1_000, started],
    [2_000, commitments('v1')],
  ])
  assert.is(loginDueAt(commitmentFirst), 22_000)
  const challengeFirst = after([
    [1_000, started],
    [6 * MINUTE, commitments('v1')],
  ])
  assert.is(loginDueAt(challengeFirst), 6 * MINUTE + 1_000)
})

for (const version of ['v1', 'v2'] as const)
  Pending(
    `challenge and commitment end in order, each at its own time, even if time events fire late: ${version}`,
    () => {
      const both = after([
        [1_000, started],
        [2_000, commitments(version)],
      ])
      assert.is(loginTimeEvent(both, 21_999), null)
      const first = loginTimeEvent(both, DAY)
      assert.equal(
        [first?.at, first && getNextSnapshot(loginChart, both, first).context.commitmentEndsAt],
        [22_000, null],
      )
      const without = first ? getNextSnapshot(loginChart, both, first) : both
      assert.equal([hasChallenge(without), pendingCommitment(without)], [true, null])
      assert.is(loginTimeEvent(without, 6 * MINUTE + 999), null)
      const second = loginTimeEvent(without, 6 * MINUTE + 1_000)
      const neither = second ? getNextSnapshot(loginChart, without, second) : without
      assert.equal(
        [second?.at, hasChallenge(neither), loginDueAt(neither)],
        [6 * MINUTE + 1_000, false, null],
      )
      assert.is(loginTimeEvent(neither, DAY), null)
    },
  )

Pending('the delays of the chart are the remaining times', () => {
  const delaysOf = (event: Unstamped): unknown[] => {
    const [, actions] = transition(loginChart, after([]), stamp(event, 1_000))
    return actions.map(({ params }) => Object(params).delay).filter(delay => delay !== undefined)
  }
  assert.equal(delaysOf(started), [6 * MINUTE])
  for (const version of ['v1', 'v2'] as const) assert.equal(delaysOf(commitments(version)), [20_000])
})

Pending('a challenge or commitment that was used is no longer due', () => {
  const taken = after([
    [1_000, started],
    [1_000, commitments('v1')],
    [2_000, answered(1)],
    [2_000, response('v1')],
  ])
  assert.equal([hasChallenge(taken), pendingCommitment(taken), loginDueAt(taken)], [false, null, null])
})

Pending('after a change of the PIN or the end of an account nothing is due', () => {
  const begun = after([
    [1_000, started],
    [1_000, commitments('v2')],
    [1_000, sentPin(1)],
  ])
  for (const event of [
    { type: 'server.changedPin', attempt: 1 },
    { type: 'owner.disabled', deleteAt: DAY },
  ] as const)
    assert.is(loginDueAt(moved(begun, event, 2_000)), null)
})

const Attempts = suite('keyshare login chart: attempts at the PIN (spec/decisions#k13)')

/** The length of the block after each of `count` wrong PINs, in seconds. Each PIN is sent as soon as a try is allowed. */
function blocksOf(count: number): number[] {
  let snapshot = newLogin(loginChart, { isDeviceBound: false })
  let at = 1_000
  return Array.from({ length: count }, (_, i) => {
    snapshot = moved(snapshot, sentPin(i + 1, false), at)
    const { blockedUntil } = snapshot.context
    const sec = blockedUntil === 0 ? 0 : (blockedUntil - at) / 1_000
    at = Math.max(at, blockedUntil)
    return sec
  })
}

Attempts('the third wrong PIN begins a block of 60 s; each further one doubles the block, up to 24 h', () => {
  const blocks = [0, 0, 60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 15_360, 30_720, 61_440, 86_400, 86_400]
  assert.equal(blocksOf(15), blocks)
})

Attempts('during a block no call reserves an attempt; at its end a call does', () => {
  const blocked = after([1, 2, 3].map(number => [1_000, sentPin(number)] as const))
  const ready = moved(blocked, started, 1_000)
  for (const event of [answered(9), { ...answered(9), isRightChallenge: false }, sentPin(9)]) {
    assert.not(ready.can(stamp(event, 60_999)))
    assert.ok(ready.can(stamp(event, 61_000)))
  }
  assert.ok(ready.can(stamp({ type: 'app.triedWhileBlocked' }, 60_999)))
  assert.not(ready.can(stamp({ type: 'app.triedWhileBlocked' }, 61_000)))
})

Attempts('a right PIN resets counter and block, even if its attempt was reserved before the block', () => {
  const blocked = after([1, 2, 3].map(number => [1_000, sentPin(number)] as const))
  for (const type of ['server.acceptedPin', 'server.changedPin'] as const) {
    const { attempts, blockedUntil } = moved(blocked, { type, attempt: 2 }, 2_000).context
    assert.equal([attempts, blockedUntil], [0, 0])
  }
})

Attempts('a right PIN ends only its own comparison; others continue, and each has one outcome', () => {
  const two = after([
    [1_000, sentPin(4)],
    [1_000, sentPin(5)],
  ])
  const one = moved(two, { type: 'server.acceptedPin', attempt: 5 }, 2_000)
  assert.equal(one.context.comparing, [4])
  assert.not(one.can(stamp({ type: 'server.acceptedPin', attempt: 5 }, 2_000)))
  assert.equal(moved(one, { type: 'server.acceptedPin', attempt: 4 }, 2_000).context.comparing, [])
})

for (const type of ['server.changedPin', 'server.registeredKey'] as const)
  Attempts(`after ${type} no attempt at the old record gets an outcome`, () => {
    const unsigned = [4, 5].map(number => [1_000, sentPin(number, false)] as const)
    const changed = moved(after(unsigned, false), { type, attempt: 4 }, 2_000)
    for (const late of ['server.acceptedPin', 'server.changedPin', 'server.registeredKey'] as const)
      for (const attempt of [4, 5]) assert.not(changed.can(stamp({ type: late, attempt }, 2_000)))
  })

Attempts('attempts without an outcome are dropped, except the newest eight, which may still get one', () => {
  const lost = Array.from({ length: 9 }, (_, i) => [i * DAY, sentPin(i + 1)] as const)
  assert.equal(after(lost).context.comparing, [2, 3, 4, 5, 6, 7, 8, 9])
})

const Effects = suite('keyshare login chart: what a commit writes')
const NAMES: readonly string[] = LOGIN_EFFECTS
const tried = [sentPin(1, false)]
const warned = { type: 'server.warned', deleteAt: 5_000 } as const

/** True if the account has a device key; the earlier events; the event; the writes of its commit. */
const WRITTEN: readonly (readonly [boolean, readonly Unstamped[], Unstamped, readonly string[]])[] = [
  [true, [], started, ['storeChallenge']],
  [true, [started], started, ['storeChallenge']],
  [true, [started], answered(1), []],
  [true, [started], { ...answered(1), isRightChallenge: false }, []],
  [false, [], sentPin(1, false), []],
  [false, [sentPin(1, false), sentPin(2, false)], sentPin(3, false), []],
  [false, tried, { type: 'server.acceptedPin', attempt: 1 }, ['markSeen', 'logSuccess']],
  [false, tried, { type: 'server.refusedPin', attempt: 1, triesLeft: 2 }, ['logFailed']],
  [false, tried, { type: 'server.refusedPin', attempt: 1, triesLeft: 0 }, ['logFailed', 'logBlocked']],
  [false, tried, { type: 'server.changedPin', attempt: 1 }, ['storeRecord']],
  [false, tried, { type: 'server.registeredKey', attempt: 1 }, ['storeRecord']],
  [true, [1, 2, 3].map(number => sentPin(number)), { type: 'app.triedWhileBlocked' }, ['logRefused']],
  [true, [], commitments('v1'), ['storeCommitment']],
  [true, [commitments('v1')], commitments('v1'), ['storeCommitment']],
  [true, [commitments('v1')], commitments('v2'), ['storeCommitment']],
  [true, [commitments('v1')], response('v1'), ['markSeen', 'logSession']],
  [true, [commitments('v2')], response('v2'), ['markSeen', 'logSession']],
  [true, [], warned, []],
  [true, [], { type: 'owner.visited' }, ['markSeen']],
  [true, [], { type: 'owner.disabled', deleteAt: 5_000 }, []],
]

function shown(event: Unstamped): string {
  const version = 'version' in event ? [event.version] : []
  const left = 'triesLeft' in event ? [`${event.triesLeft} left`] : []
  const wrong = 'isRightChallenge' in event && !event.isRightChallenge ? ['wrong challenge'] : []
  const details = [...version, ...left, ...wrong]
  return details.length > 0 ? `${event.type} (${details.join(', ')})` : event.type
}

for (const [isDeviceBound, before, event, wanted] of WRITTEN)
  Effects(`${[...before, event].map(shown).join(', ')}: ${wanted.join(', ') || 'no effect'}`, () => {
    const snapshot = after(
      before.map(each => [1_000, each]),
      isDeviceBound,
    )
    const [, actions] = transition(loginChart, snapshot, stamp(event, 1_000))
    const named = actions.map(({ params }) => String(Object(Object(params).event).type))
    assert.equal(
      named.filter(name => NAMES.includes(name)),
      wanted,
    )
  })

Effects('the cases above cover every effect of the chart', () => {
  assert.equal([...new Set(WRITTEN.flatMap(([, , , names]) => names))].sort(), [...LOGIN_EFFECTS].sort())
})

const Deletion = suite('keyshare login chart: the end of an account')

Deletion('an account that was warned is deleted at the time in the warning, not before', () => {
  const snapshot = after([[1_000, warned]])
  assert.not(snapshot.can(stamp({ type: 'server.deleted' }, 4_999)))
  assert.ok(snapshot.can(stamp({ type: 'server.deleted' }, 5_000)))
})

Deletion('an account that was used after its warning is kept; a wrong PIN or a commitment is no use', () => {
  const login = [started, answered(1)]
  const proof = [commitments('v1')]
  const deleteAtAfter = (events: readonly Unstamped[]) =>
    after([warned, ...events].map(event => [1_000, event] as const)).context.deleteAt
  assert.is(deleteAtAfter([...login, { type: 'server.acceptedPin', attempt: 1 }]), null)
  assert.is(deleteAtAfter([...proof, response('v1')]), null)
  assert.is(deleteAtAfter([{ type: 'owner.visited' }]), null)
  assert.is(deleteAtAfter([...login, { type: 'server.refusedPin', attempt: 1, triesLeft: 2 }]), 5_000)
  assert.is(deleteAtAfter(proof), 5_000)
})

Deletion('an account that its owner deleted is deleted at the time that was set then', () => {
  const disabled = after([
    [1_000, warned],
    [2_000, { type: 'owner.disabled', deleteAt: 9_000 }],
  ])
  assert.not(disabled.can(stamp({ type: 'server.deleted' }, 8_999)))
  assert.ok(disabled.can(stamp({ type: 'server.deleted' }, 9_000)))
  assert.not(disabled.can(stamp({ type: 'owner.visited' }, 2_000)))
})

Pending.run()
Attempts.run()
Effects.run()
Deletion.run()
