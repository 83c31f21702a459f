/** The session chart: deadlines, claims, the due callback, and a stored session. @module */
import * as assert from 'uvu/assert'
import { getNextSnapshot, initialTransition, transition } from 'xstate'
import {
  ANSWERED_EFFECTS,
  CHART,
  OWED_EFFECTS,
  type SessionSnapshot,
  sessionChart,
} from '../../machines/session.ts'
import type { StampedEvent } from '../../machines/session-events.ts'
import {
  newSession,
  protocolVersionOf,
  sessionDue,
  statusOf,
  storedSnapshot,
  wakeSession,
} from '../../machines/session-snapshot.ts'
import { suite } from '../suite.ts'

const times = { at: 1_000, timeoutMs: 60, connectedTimeoutMs: 300, retentionMs: 500 }
const input = { ...times, hasCallback: true, hasNextSession: false, issues: false }
const connected = { type: 'app.connected', protocolVersion: '2.8' } as const
type Unstamped = StampedEvent extends infer E ? (E extends StampedEvent ? Omit<E, 'at'> : never) : never

function after(events: readonly (readonly [at: number, event: Unstamped])[], facts = input): SessionSnapshot {
  // each event with its time
  const stamped = events.map(([at, event]) => ({ ...event, at }) as StampedEvent)
  return stamped.reduce(
    (snapshot, event) => getNextSnapshot(sessionChart, snapshot, event),
    newSession(sessionChart, facts),
  )
}

const EFFECTS: readonly string[] = [...ANSWERED_EFFECTS, ...OWED_EFFECTS]

/** Effects have no body: each action only carries the name of its effect. */
function effectsAmong(actions: readonly { readonly type: string; readonly params: unknown }[]): string[] {
  const names = actions.map(({ params }) => String(Object(Object(params).event).type))
  return names.filter(name => EFFECTS.includes(name))
}

function effectsOf(snapshot: SessionSnapshot, event: StampedEvent): string[] {
  return effectsAmong(transition(sessionChart, snapshot, event)[1])
}

const Beginning = suite('session chart: the beginning')

Beginning('newSession equals the initial state of the chart, whose initial transition has no effect', () => {
  const [first, actions] = initialTransition(sessionChart, input)
  assert.equal(storedSnapshot(newSession(sessionChart, input)), storedSnapshot(first))
  assert.ok(newSession(sessionChart, input).can({ ...connected, at: 1_000 }))
  assert.equal(effectsAmong(actions), [])
})

Beginning.run()

const Times = suite('session chart: times')

Times(
  'timeoutMs bounds INITIALIZED, connectedTimeoutMs bounds PAIRING and again CONNECTED (spec/decisions#d3)',
  () => {
    assert.is(after([]).context.deadlineAt, 1_060)
    assert.is(after([[1_030, connected]]).context.deadlineAt, 1_330)
    const paired = after([
      [1_010, { type: 'frontend.chose', method: 'pin' }],
      [1_030, connected],
      [1_200, { type: 'frontend.paired' }],
    ])
    assert.is(paired.context.deadlineAt, 1_500)
  },
)

Times('an event that does not change the status does not move its deadline', () => {
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

Times('retention counts from the final status, whichever it is (spec/decisions#d4)', () => {
  assert.is(after([[1_040, { type: 'cancelled' }]]).context.deadlineAt, 1_540)
  const due = sessionDue(after([]))
  assert.is(due?.at, 1_060)
  const timedOut = after([[1_060, { type: due?.type ?? 'xstate.after.' }]])
  assert.equal([statusOf(timedOut), timedOut.context.deadlineAt], ['TIMEOUT', 1_560])
})

const Effects = suite('session chart: effects')
const submitted = { type: 'app.submitted', claim: 3 } as const
const CLOSING: readonly (readonly [string, readonly Unstamped[], Unstamped])[] = [
  ['cancelled', [], { type: 'cancelled' }],
  ['app.failed', [], { type: 'app.failed' }],
  ['timeout', [], { type: 'xstate.after.timeout.session.INITIALIZED' }],
  ['server.checked', [connected, submitted], { type: 'server.checked', isValid: true, claim: 3 }],
  ['server.failed', [connected, submitted], { type: 'server.failed', claim: 3 }],
]

for (const [title, before, last] of CLOSING)
  for (const hasCallback of [true, false])
    Effects(`${title}: a callback is ${hasCallback ? 'owed' : 'not owed if none was asked for'}`, () => {
      const snapshot = after(
        before.map(event => [1_001, event]),
        { ...input, hasCallback },
      )
      const effects = effectsOf(snapshot, { ...last, at: 1_002 } as StampedEvent) // the event with its time
      assert.equal(effects, hasCallback ? ['oweCallback'] : [])
    })

Effects('each step of the work on a submission requests the next step, once', () => {
  const facts = { ...input, hasNextSession: true, issues: true }
  const work: readonly Unstamped[] = [
    submitted,
    { type: 'server.checked', isValid: true, claim: 3 },
    { type: 'server.askedNext', claim: 3 },
    { type: 'server.signed', claim: 3 },
  ]
  const named = work.map((event, i) => {
    const before = [connected, ...work.slice(0, i)].map(each => [1_001, each] as const)
    return effectsOf(after(before, facts), { ...event, at: 1_002 } as StampedEvent) // the event with its time
  })
  assert.equal(named, [['check'], ['askNext'], ['sign'], ['oweCallback']])
})

Effects('only a submission requests a check', () => {
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
  [
    [1_001, connected],
    [1_002, { type: 'app.submitted', claim: 3 }],
    [1_003, { type: 'server.checked', isValid: true, claim: 3 }],
  ],
  [
    [1_001, connected],
    [1_002, { type: 'app.submitted', claim: 3 }],
    [1_003, { type: 'server.checked', isValid: true, claim: 3 }],
    [1_004, { type: 'server.askedNext', claim: 3 }],
  ],
  [[1_001, { type: 'cancelled' }]],
]

Rest('a stored snapshot wakes in the same state', () => {
  for (const events of statesOnTheWay) {
    const snapshot = after(events, { ...input, hasNextSession: true, issues: true })
    const stored = JSON.parse(JSON.stringify(storedSnapshot(snapshot)))
    assert.equal(Object.keys(stored), ['value', 'context'])
    const woken = wakeSession(sessionChart, CHART, stored, snapshot.context.leaseUntil)
    assert.equal([woken.value, woken.context], [snapshot.value, snapshot.context])
    assert.equal(sessionDue(woken), sessionDue(snapshot))
  }
})

const good = { value: 'INITIALIZED', context: after([]).context }
const SPOILT: Readonly<Record<string, unknown>> = {
  'no snapshot': null,
  'an unknown state': { ...good, value: 'ASLEEP' },
  'an unknown sub-state': { ...good, value: { CONNECTED: 'resting' } },
  'a parent without its sub-state': { ...good, value: 'CONNECTED' },
  'a session in the state forgotten': { ...good, value: 'forgotten' },
  'no context': { value: 'INITIALIZED' },
  'a deadline that is no number': { ...good, context: { ...good.context, deadlineAt: null } },
  'a context of another chart': { ...good, context: { ...good.context, issuing: false } },
  'a context of an older chart': { ...good, context: { ...good.context, issues: undefined } },
}
for (const [title, stored] of Object.entries(SPOILT))
  Rest(`${title} does not wake`, () => {
    // a store may contain anything
    assert.throws(() => wakeSession(sessionChart, CHART, stored as typeof good), `not one of chart ${CHART}`)
  })

Rest('a snapshot of an unknown chart does not wake', () => {
  for (const chart of [0, CHART + 1])
    assert.throws(
      () => wakeSession(sessionChart, chart, good),
      `expected a number up to ${CHART} that is known, got ${chart}`,
    )
})

Rest('a session that no app connected to has no protocol version', () => {
  assert.is(protocolVersionOf(storedSnapshot(after([[1_001, connected]]))), '2.8')
  assert.throws(() => protocolVersionOf(good), /expected a session with a protocol version/)
  assert.throws(() => protocolVersionOf(null), /expected a session with a protocol version/)
})

Times.run()
Effects.run()
Rest.run()
