/** The session chart: deadlines, claims, the callback that is owed, and a session at rest. @module */

import * as assert from 'uvu/assert'
import { getNextSnapshot, transition } from 'xstate'
import { CHART, type SessionSnapshot, type StampedEvent, sessionChart } from '../../machines/session.ts'
import {
  newSession,
  protocolVersionOf,
  statusOf,
  storedSnapshot,
  timerOf,
  wakeSession,
} from '../../machines/session-snapshot.ts'
import { suite } from '../suite.ts'

const input = { at: 1_000, timeoutMs: 60, connectedTimeoutMs: 300, retentionMs: 500, hasCallback: true }
const connected = { type: 'app.connected', protocolVersion: '2.8' } as const
type Unstamped = StampedEvent extends infer E ? (E extends StampedEvent ? Omit<E, 'at'> : never) : never

function after(events: readonly (readonly [at: number, event: Unstamped])[], facts = input): SessionSnapshot {
  // an event and its time, put together
  const stamped = events.map(([at, event]) => ({ ...event, at }) as StampedEvent)
  return stamped.reduce(
    (snapshot, event) => getNextSnapshot(sessionChart, snapshot, event),
    newSession(sessionChart, facts),
  )
}

function effectsOf(snapshot: SessionSnapshot, event: StampedEvent): string[] {
  const names = transition(sessionChart, snapshot, event)[1].map(({ type }) => type)
  return names.filter(name => name === 'check' || name === 'oweCallback')
}

const Times = suite('session chart: times')

Times('timeoutMs bounds INITIALIZED, connectedTimeoutMs bounds PAIRING and again CONNECTED (D3)', () => {
  assert.is(after([]).context.deadlineAt, 1_060)
  assert.is(after([[1_030, connected]]).context.deadlineAt, 1_330)
  const paired = after([
    [1_010, { type: 'frontend.chose', method: 'pin' }],
    [1_030, connected],
    [1_200, { type: 'frontend.paired' }],
  ])
  assert.is(paired.context.deadlineAt, 1_500)
})

Times('what does not change the status does not move its deadline', () => {
  assert.is(after([[1_050, { type: 'frontend.chose', method: 'pin' }]]).context.deadlineAt, 1_060)
  const fetched = after([
    [1_030, connected],
    [1_300, { type: 'app.fetched' }],
  ])
  assert.is(fetched.context.deadlineAt, 1_330)
})

Times('a claim that becomes void leaves the original deadline', () => {
  const voided = after([
    [1_030, connected],
    [1_100, { type: 'app.submitted', claim: 3 }],
    [1_320, { type: 'claim.voided', claim: 3 }],
  ])
  assert.equal([voided.context.deadlineAt, voided.context.claim], [1_330, null])
})

Times('retention counts from the final status, whichever it is (D4)', () => {
  assert.is(after([[1_040, { type: 'cancelled' }]]).context.deadlineAt, 1_540)
  const timer = timerOf(after([]))
  assert.ok(timer)
  const timedOut = after([[1_060, { type: timer }]])
  assert.equal([statusOf(timedOut), timedOut.context.deadlineAt], ['TIMEOUT', 1_560])
})

const Effects = suite('session chart: effects')
const CLOSING: readonly (readonly [string, readonly Unstamped[], Unstamped])[] = [
  ['cancelled', [], { type: 'cancelled' }],
  ['app.failed', [], { type: 'app.failed' }],
  ['timeout', [], { type: 'xstate.after.untilDeadline.session.INITIALIZED' }],
  ['server.checked', [connected, { type: 'app.submitted', claim: 3 }], { type: 'server.checked', claim: 3 }],
  ['server.failed', [connected, { type: 'app.submitted', claim: 3 }], { type: 'server.failed', claim: 3 }],
]

for (const [title, before, last] of CLOSING)
  for (const hasCallback of [true, false])
    Effects(`${title}: a callback is ${hasCallback ? 'owed' : 'not owed where none was asked for'}`, () => {
      const snapshot = after(
        before.map(event => [1_001, event]),
        { ...input, hasCallback },
      )
      const effects = effectsOf(snapshot, { ...last, at: 1_002 } as StampedEvent) // an event and its time
      assert.equal(effects, hasCallback ? ['oweCallback'] : [])
    })

Effects('a submission names its check, once; nothing else does', () => {
  const snapshot = after([[1_001, connected]])
  assert.equal(effectsOf(snapshot, { type: 'app.submitted', claim: 2, at: 1_002 }), ['check'])
  assert.equal(effectsOf(snapshot, { type: 'app.fetched', at: 1_002 }), [])
})

const Rest = suite('session chart: at rest')

const statesOnTheWay: readonly (readonly (readonly [number, Unstamped])[])[] = [
  [],
  [[1_001, { type: 'frontend.chose', method: 'pin' }]],
  [
    [1_001, { type: 'frontend.chose', method: 'pin' }],
    [1_002, connected],
  ],
  [[1_001, connected]],
  [
    [1_001, connected],
    [1_002, { type: 'app.submitted', claim: 3 }],
  ],
  [[1_001, { type: 'cancelled' }]],
]

Rest('a stored snapshot wakes as what it was', () => {
  for (const events of statesOnTheWay) {
    const snapshot = after(events)
    const stored = JSON.parse(JSON.stringify(storedSnapshot(snapshot)))
    assert.equal(Object.keys(stored), ['value', 'context'])
    const woken = wakeSession(sessionChart, CHART, stored)
    assert.equal([woken.value, woken.context], [snapshot.value, snapshot.context])
    assert.is(timerOf(woken), timerOf(snapshot))
  }
})

Rest('a snapshot of this chart, kept as it was stored once, still wakes', () => {
  const context = {
    timeoutMs: 60,
    connectedTimeoutMs: 300,
    retentionMs: 500,
    hasCallback: true,
    deadlineAt: 1_301,
    pairing: 'none',
  }
  const stored = {
    value: { CONNECTED: 'checking' },
    context: { ...context, protocolVersion: '2.8', claim: 3 },
  }
  assert.ok(wakeSession(sessionChart, 1, stored).can({ type: 'server.checked', claim: 3, at: 1_100 }))
  assert.is(protocolVersionOf(stored), '2.8')
})

const good = { value: 'INITIALIZED', context: after([]).context }
const SPOILT: Readonly<Record<string, unknown>> = {
  'no snapshot': null,
  'a state that is unheard of': { ...good, value: 'ASLEEP' },
  'a sub-state that is unheard of': { ...good, value: { CONNECTED: 'signing' } },
  'a parent without its sub-state': { ...good, value: 'CONNECTED' },
  'a session that is forgotten': { ...good, value: 'forgotten' },
  'no context': { value: 'INITIALIZED' },
  'a deadline that is no number': { ...good, context: { ...good.context, deadlineAt: null } },
  'a context of another chart': { ...good, context: { ...good.context, issuing: false } },
}
for (const [title, stored] of Object.entries(SPOILT))
  Rest(`${title} does not wake`, () => {
    // anything may stand in a store
    assert.throws(() => wakeSession(sessionChart, CHART, stored as typeof good), /not one of chart 1/)
  })

Rest('a snapshot of another chart does not wake', () => {
  for (const chart of [0, CHART + 1])
    assert.throws(() => wakeSession(sessionChart, chart, good), `expected number ${CHART}, got ${chart}`)
})

Rest('a session that no app connected to has no protocol version', () => {
  assert.throws(() => protocolVersionOf(good), /expected a session with a protocol version/)
  assert.throws(() => protocolVersionOf(null), /expected a session with a protocol version/)
})

Times.run()
Effects.run()
Rest.run()
