/** Invariants of the keyshare login chart: random events at random times are compared with rules that use no chart. Due timer events fire as in
 *  the gate, and each step starts from the stored state. @module */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { getNextSnapshot } from 'xstate'
import { LOGIN_CHART, loginChart } from '../../machines/keyshare-login.ts'
import type { StampedLoginEvent } from '../../machines/login-events.ts'
import { loginDue, newLogin, type StoredLogin, storeLogin, wakeLogin } from '../../machines/login-snapshot.ts'
import { suite } from '../suite.ts'
import type { UnstampedLoginEvent as Unstamped } from './unstamped-login-event.ts'

const MINUTE = 60_000
type Move = { readonly waitMs: number; readonly event: Unstamped }
/** An accepted event, with its time. */
type Accepted = { readonly at: number; readonly event: StampedLoginEvent }

const flag = fc.boolean()
const version = fc.constantFrom('v1' as const, 'v2' as const)
/** An attempt gets the number of its step; outcomes name one of the first steps. */
const attempt = fc.integer({ min: 1, max: 20 })
const event: fc.Arbitrary<Unstamped> = fc.oneof(
  fc.constant<Unstamped>({ type: 'app.startedLogin' }),
  fc.constant<Unstamped>({ type: 'app.triedWhileBlocked' }),
  fc.record({ type: fc.constant('app.answered' as const), isRightChallenge: flag, attempt: fc.constant(0) }),
  ...[1, 2, 3].map(() =>
    fc.record({ type: fc.constant('app.sentPin' as const), isSignedByDevice: flag, attempt: fc.constant(0) }),
  ),
  fc.record({ type: fc.constant('server.acceptedPin' as const), attempt }),
  fc.record({ type: fc.constant('server.refusedPin' as const), attempt, triesLeft: fc.nat(2) }),
  fc.record({
    type: fc.constantFrom('server.changedPin' as const, 'server.registeredKey' as const),
    attempt,
  }),
  fc.record({ type: fc.constant('app.requestedCommitments' as const), version }),
  fc.record({ type: fc.constant('app.requestedResponse' as const), version }),
)
const waitMs = fc.oneof(
  { weight: 20, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.constantFrom(1, 19_999, 20_000) },
  { weight: 3, arbitrary: fc.constantFrom(MINUTE - 1, MINUTE, 2 * MINUTE, 6 * MINUTE - 1, 6 * MINUTE) },
)
const moves: fc.Arbitrary<Move[]> = fc.array(fc.record({ waitMs, event }), { minLength: 40, maxLength: 40 })

/** The accepted events in their order. Before each event, due timer events fire. */
function accepted(isDeviceBound: boolean, steps: readonly Move[]): Accepted[] {
  let stored = storeLogin(newLogin(loginChart, { isDeviceBound }))
  let at = 1_000
  return steps.flatMap(({ waitMs, event }, i) => {
    at += waitMs
    const isReserving = event.type === 'app.answered' || event.type === 'app.sentPin'
    // the event with its number and its time
    const stamped = { ...event, ...(isReserving && { attempt: i + 1 }), at } as StampedLoginEvent
    const snapshot = afterTime(wake(stored), at)
    const isAccepted = snapshot.can(stamped)
    stored = JSON.parse(
      JSON.stringify(storeLogin(isAccepted ? getNextSnapshot(loginChart, snapshot, stamped) : snapshot)),
    )
    return isAccepted ? [{ at, event: stamped }] : []
  })
}

const wake = (stored: StoredLogin) => wakeLogin(loginChart, LOGIN_CHART, stored)

function afterTime(snapshot: ReturnType<typeof wake>, at: number): ReturnType<typeof wake> {
  const due = loginDue(snapshot)
  return due === null || due.at > at ? snapshot : afterTime(getNextSnapshot(loginChart, snapshot, due), at)
}

const runs = fc
  .sample(fc.tuple(flag, moves), { numRuns: 300, seed: 1_240 })
  .map(([isDeviceBound, steps]) => accepted(isDeviceBound, steps))

/** @returns the number of checked cases in all sequences: a check without a case proves nothing */
function inEachRun(check: (steps: readonly Accepted[]) => number): number {
  return runs.map(check).reduce((sum, count) => sum + count, 0)
}

const Properties = suite('keyshare login chart: properties')

Properties(
  'each response uses up a commitment of its version, not older than 20 s or the last change of the PIN',
  () => {
    const responses = inEachRun(steps => {
      let pending: { readonly version: string; readonly at: number } | null = null
      let taken = 0
      for (const { at, event } of steps) {
        if (event.type === 'server.changedPin') pending = null
        if (event.type === 'app.requestedCommitments') pending = { version: event.version, at }
        if (event.type !== 'app.requestedResponse') continue
        assert.is(pending?.version, event.version)
        assert.ok(pending && at < pending.at + 20_000)
        pending = null
        taken++
      }
      return taken
    })
    assert.ok(responses > 50, `expected many responses, got ${responses}`)
  },
)

Properties('after three attempts without the right PIN, no PIN is compared before the block ends', () => {
  const guesses = inEachRun(steps => {
    let sinceRight: number[] = []
    let later = 0
    for (const { at, event } of steps) {
      if (['server.acceptedPin', 'server.changedPin', 'server.registeredKey'].includes(event.type))
        sinceRight = []
      const isGuess =
        event.type === 'app.sentPin' || (event.type === 'app.answered' && event.isRightChallenge)
      if (!isGuess) continue
      const blockMs = MINUTE * 2 ** (sinceRight.length - 3)
      if (sinceRight.length >= 3) {
        assert.ok(at >= (sinceRight.at(-1) ?? 0) + blockMs, `guess ${sinceRight.length + 1} at ${at}`)
        later++
      }
      sinceRight.push(at)
    }
    return later
  })
  assert.ok(guesses > 50, `expected many guesses after a block, got ${guesses}`)
})

Properties(
  'each outcome belongs to one attempt, each attempt has at most one, and none after a new record',
  () => {
    const outcomes = inEachRun(steps => {
      let compared: number[] = []
      let count = 0
      for (const { event } of steps) {
        if (event.type === 'app.sentPin' || (event.type === 'app.answered' && event.isRightChallenge))
          compared.push(event.attempt)
        if (!event.type.startsWith('server.') || !('attempt' in event)) continue
        assert.ok(compared.includes(event.attempt), `${event.type} of attempt ${event.attempt}`)
        const isNewRecord = event.type === 'server.changedPin' || event.type === 'server.registeredKey'
        compared = isNewRecord ? [] : compared.filter(number => number !== event.attempt)
        count++
      }
      return count
    })
    assert.ok(outcomes > 50, `expected many outcomes, got ${outcomes}`)
  },
)

Properties('each login uses up a challenge, not older than 6 min or the last change of the PIN', () => {
  const logins = inEachRun(steps => {
    let startedAt: number | null = null
    let taken = 0
    for (const { at, event } of steps) {
      if (event.type === 'server.changedPin') startedAt = null
      if (event.type === 'app.startedLogin') startedAt = at
      if (event.type !== 'app.answered') continue
      assert.ok(startedAt !== null && at < startedAt + 6 * MINUTE)
      startedAt = null
      taken++
    }
    return taken
  })
  assert.ok(logins > 50, `expected many logins, got ${logins}`)
})

Properties.run()
