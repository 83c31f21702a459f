/** Each chart as an actor of XState on XState's own simulated clock, without the gate of this product. All timers fire at the exact millisecond. @module */
import * as assert from 'uvu/assert'
import { createActor } from 'xstate'
import { deliveryChart } from '../../machines/delivery.ts'
import { sessionChart } from '../../machines/session.ts'
import { suite } from '../suite.ts'
import { assertLeaves, clockAtStart, pass, START } from './alone.ts'

const HOUR = 3_600_000

const Session = suite('a session chart alone')
const stays = { timeoutMs: 60_000, connectedTimeoutMs: 300_000, retentionMs: 700_000 }
const plain = { ...stays, hasCallback: true, hasNextSession: false, issues: false }

function startedSession(facts = plain) {
  const clock = clockAtStart()
  const actor = createActor(sessionChart, { input: { ...facts, at: START }, clock })
  const effects: string[] = []
  actor.on('*', ({ type }) => effects.push(type))
  actor.start()
  return { actor, clock, effects }
}

type StartedSession = ReturnType<typeof startedSession>

/** Sends an event at the time of the clock. */
function sender({ actor, clock }: StartedSession) {
  const at = () => clock.now()
  return {
    chooses: () => actor.send({ type: 'frontend.chose', method: 'pin', at: at() }),
    connects: () => actor.send({ type: 'app.connected', protocolVersion: '2.8', at: at() }),
    pairs: () => actor.send({ type: 'frontend.paired', at: at() }),
    submits: () => actor.send({ type: 'app.submitted', claim: 1, at: at() }),
    renews: () => actor.send({ type: 'claim.renewed', claim: 1, at: at() }),
    checked: () => actor.send({ type: 'server.checked', claim: 1, isValid: true, at: at() }),
    askedNext: () => actor.send({ type: 'server.askedNext', claim: 1, at: at() }),
    signed: () => actor.send({ type: 'server.signed', claim: 1, at: at() }),
    voids: () => actor.send({ type: 'claim.voided', claim: 1, at: at() }),
    cancels: () => actor.send({ type: 'cancelled', at: at() }),
  }
}

/** The actor has reached its final state. */
function assertForgotten(session: StartedSession, at: number): void {
  assertLeaves(session, at, 'forgotten')
  assert.is(session.actor.getSnapshot().status, 'done')
}

Session('a session times out in INITIALIZED, is retained, and is deleted', () => {
  const session = startedSession()
  sender(session).chooses()
  assertLeaves(session, START + 60_000, 'TIMEOUT')
  assert.is(session.actor.getSnapshot().context.deadlineAt, START + 760_000)
  assert.equal(session.effects, ['oweCallback'])
  assertForgotten(session, START + 760_000)
})

Session('PAIRING and CONNECTED each have their own time limit', () => {
  const session = startedSession()
  const { chooses, connects, pairs } = sender(session)
  chooses()
  session.clock.set(START + 59_999)
  connects()
  session.clock.set(START + 300_000)
  assert.is(session.actor.getSnapshot().value, 'PAIRING')
  pairs()
  assertLeaves(session, START + 600_000, 'TIMEOUT')
  assertForgotten(session, START + 1_300_000)
})

Session('a session times out in PAIRING', () => {
  const session = startedSession()
  sender(session).chooses()
  sender(session).connects()
  assertLeaves(session, START + 300_000, 'TIMEOUT')
})

Session('a claim without a renewal ends with its lease, and the first deadline applies again', () => {
  const session = startedSession()
  const { connects, submits } = sender(session)
  connects()
  session.clock.set(START + 200_000)
  submits()
  assertLeaves(session, START + 230_000, { CONNECTED: 'awaiting' })
  assert.is(session.actor.getSnapshot().context.claim, null)
  assertLeaves(session, START + 300_000, 'TIMEOUT')
})

Session('after a voided claim the first deadline applies again', () => {
  const session = startedSession()
  const { connects, submits, voids } = sender(session)
  connects()
  session.clock.set(START + 200_000)
  submits()
  session.clock.set(START + 210_000)
  voids()
  assertLeaves(session, START + 300_000, 'TIMEOUT')
})

Session('a renewal starts the lease again', () => {
  const session = startedSession()
  const { connects, submits, renews } = sender(session)
  connects()
  submits()
  session.clock.set(START + 29_999)
  renews()
  assertLeaves(session, START + 59_999, { CONNECTED: 'awaiting' })
})

Session('a claim may last longer than the deadline; the session then times out when the claim ends', () => {
  const session = startedSession()
  const { connects, submits, renews } = sender(session)
  connects()
  session.clock.set(START + 290_000)
  submits()
  session.clock.set(START + 310_000)
  renews()
  assert.equal(session.actor.getSnapshot().value, { CONNECTED: 'checking' })
  assertLeaves(session, START + 340_000, 'TIMEOUT')
})

Session('each step of the work has a lease, and the retention begins with DONE', () => {
  const session = startedSession({ ...plain, hasNextSession: true, issues: true })
  const { connects, submits, checked, askedNext, signed } = sender(session)
  connects()
  for (const [step, state] of [
    [submits, 'checking'],
    [checked, 'askingNext'],
    [askedNext, 'signing'],
  ] as const) {
    step()
    session.clock.increment(29_999)
    assert.equal(session.actor.getSnapshot().value, { CONNECTED: state })
  }
  signed()
  assert.equal(session.effects, ['check', 'askNext', 'sign', 'oweCallback'])
  assertForgotten(session, START + 3 * 29_999 + 700_000)
})

for (const state of ['askingNext', 'signing'] as const)
  Session(`a claim whose lease ends in ${state} is void`, () => {
    const session = startedSession({ ...plain, hasNextSession: true, issues: true })
    const { connects, submits, checked, askedNext } = sender(session)
    connects()
    submits()
    checked()
    if (state === 'signing') askedNext()
    assertLeaves(session, START + 30_000, { CONNECTED: 'awaiting' })
  })

Session('the retention begins with CANCELLED', () => {
  const session = startedSession()
  session.clock.set(START + 1_234)
  sender(session).cancels()
  assertForgotten(session, START + 701_234)
})

Session.run()

const Delivery = suite('a delivery chart alone')
const backoff = { firstMs: 5_000, maxMs: 18_000 }

function startedDelivery() {
  const clock = clockAtStart()
  const actor = createActor(deliveryChart, { input: { at: START }, clock })
  const posts: number[] = []
  actor.on('post', () => posts.push(clock.now()))
  actor.start()
  clock.increment(0)
  return { actor, clock, posts }
}

Delivery('the first attempt begins at once; at the end of its lease it is void, and the next begins', () => {
  const { actor, clock, posts } = startedDelivery()
  assert.is(actor.getSnapshot().value, 'sending')
  pass(clock, START + 29_999)
  assert.equal(posts, [START])
  pass(clock, START + 30_000)
  assert.equal([posts, actor.getSnapshot().context.attempts], [[START, START + 30_000], 2])
})

Delivery('the pause after a failure doubles, and an operator ends it', () => {
  const delivery = startedDelivery()
  const { actor, clock, posts } = delivery
  actor.send({ type: 'receiver.failed', attempt: 1, backoff, at: START })
  assertLeaves(delivery, START + 5_000, 'sending')
  actor.send({ type: 'receiver.failed', attempt: 2, backoff, at: START + 5_000 })
  assertLeaves(delivery, START + 15_000, 'sending')
  actor.send({ type: 'receiver.failed', attempt: 3, backoff, at: START + 15_000 })
  clock.set(START + 16_000)
  actor.send({ type: 'operator.replayed', at: START + 16_000 })
  clock.increment(0)
  assert.equal(posts, [START, START + 5_000, START + 15_000, START + 16_000])
})

Delivery('after a void attempt the next one begins at once', () => {
  const { actor, clock, posts } = startedDelivery()
  clock.set(START + 7_000)
  actor.send({ type: 'attempt.voided', attempt: 1, at: START + 7_000 })
  clock.increment(0)
  assert.equal(posts, [START, START + 7_000])
})

Delivery(
  'the last attempt is made after 24 h; if it fails, the delivery is given up, and deleted a day later',
  () => {
    const delivery = startedDelivery()
    const { actor, clock } = delivery
    clock.set(START + 20_000)
    actor.send({
      type: 'receiver.failed',
      attempt: 1,
      at: START + 20_000,
      backoff,
      askedMs: 48 * HOUR,
    })
    assertLeaves(delivery, START + 24 * HOUR, 'sending')
    actor.send({ type: 'receiver.failed', attempt: 2, backoff, at: START + 24 * HOUR })
    assert.is(actor.getSnapshot().value, 'givenUp')
    assertLeaves(delivery, START + 48 * HOUR, 'forgotten')
    assert.is(actor.getSnapshot().status, 'done')
  },
)

for (const [type, state] of [
  ['receiver.accepted', 'delivered'],
  ['server.refused', 'givenUp'],
] as const)
  Delivery(`after ${type} the row of the delivery is kept for a day`, () => {
    const delivery = startedDelivery()
    delivery.clock.set(START + 1_000)
    delivery.actor.send({ type, attempt: 1, at: START + 1_000 })
    assert.is(delivery.actor.getSnapshot().value, state)
    assertLeaves(delivery, START + 1_000 + 24 * HOUR, 'forgotten')
  })

Delivery('an actor that is restored from its snapshot alone has no timer until it enters a state', () => {
  const { actor } = startedDelivery()
  assert.is(actor.getSnapshot().value, 'sending')
  const snapshot = actor.getPersistedSnapshot()
  actor.stop()
  const clock = clockAtStart()
  const restored = createActor(deliveryChart, { snapshot, input: { at: START }, clock }).start()
  pass(clock, START + 24 * HOUR)
  assert.is(restored.getSnapshot().value, 'sending')
  restored.send({ type: 'attempt.voided', attempt: 1, at: START + 24 * HOUR })
  clock.increment(0)
  assert.equal([restored.getSnapshot().value, restored.getSnapshot().context.attempts], ['sending', 2])
  pass(clock, START + 24 * HOUR + 30_000)
  assert.is(restored.getSnapshot().context.attempts, 3)
})

Delivery.run()
