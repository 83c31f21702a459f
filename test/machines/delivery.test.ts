/** The delivery chart: attempts, pauses, and the end of a delivery. @module */
import * as assert from 'uvu/assert'
import { initialTransition, transition } from 'xstate'
import {
  type DeliveryEvent,
  type DeliveryFacts,
  deliveryChart,
  deliveryDue,
  factsOfDelivery,
  newDelivery,
  SENDING_LEASE_MS,
  type StampedDeliveryEvent,
  wakeDelivery,
} from '../../machines/delivery.ts'
import { suite } from '../suite.ts'

const HOUR = 3_600_000
const START = 1_000_000
const backoff = { firstMs: 100, maxMs: 1_000 }

/** The step of an event; null if the chart refuses it. */
function stepDelivery(facts: DeliveryFacts, event: StampedDeliveryEvent) {
  const before = wakeDelivery(facts)
  if (!before.can(event)) return null
  const [moved, actions] = transition(deliveryChart, before, event)
  const posts = actions.some(({ params }) => Object(Object(params).event).type === 'post')
  return { facts: factsOfDelivery(moved) ?? 'forgotten', posts } as const
}

function stepped(facts: DeliveryFacts, event: DeliveryEvent, at: number): DeliveryFacts {
  const step = stepDelivery(facts, { ...event, at })
  if (step === null || step.facts === 'forgotten') throw new Error(`refused or forgotten: ${event.type}`)
  return step.facts
}

/** The next timer event. */
function timeIn(facts: DeliveryFacts): StampedDeliveryEvent {
  const due = deliveryDue(wakeDelivery(facts))
  if (due === null) throw new Error('expected a timer, got none')
  return due
}

function begun(facts: DeliveryFacts): DeliveryFacts {
  const event = timeIn(facts)
  const step = stepDelivery(facts, event)
  if (!step?.posts || step.facts === 'forgotten') throw new Error('expected an attempt')
  return step.facts
}

const Delivery = suite('delivery chart')

Delivery('newDelivery equals the initial state of the chart, whose initial transition has no effect', () => {
  const [first, actions] = initialTransition(deliveryChart, { at: START })
  assert.equal(newDelivery(START), factsOfDelivery(first))
  assert.not.ok(actions.some(({ params }) => Object(Object(params).event).type === 'post'))
})

Delivery('the first attempt is due at once, and an attempt has a number and a lease', () => {
  const owed = newDelivery(START)
  assert.equal(owed, { state: 'waiting', dueAt: START, giveUpAt: START + 24 * HOUR, attempts: 0 })
  const sending = begun(owed)
  assert.equal(sending, { ...owed, state: 'sending', attempts: 1, dueAt: START + SENDING_LEASE_MS })
})

Delivery('after each failure the pause doubles, up to its limit', () => {
  let facts = newDelivery(START)
  const waits: number[] = []
  for (let attempt = 1; attempt <= 6; attempt++) {
    const at = facts.dueAt + 7
    facts = stepped(begun(facts), { type: 'receiver.failed', attempt, backoff }, at)
    waits.push(facts.dueAt - at)
  }
  assert.equal(waits, [100, 200, 400, 800, 1_000, 1_000])
})

Delivery('the receiver may ask for a longer pause within the 24 h, but not for a shorter one', () => {
  const sending = begun(newDelivery(START))
  const failed = { type: 'receiver.failed', attempt: 1, backoff } as const
  const waitOf = (askedMs: number): number =>
    stepped(sending, { ...failed, askedMs }, START + 7).dueAt - (START + 7)
  assert.equal([waitOf(HOUR), waitOf(50), waitOf(48 * HOUR)], [HOUR, 100, 24 * HOUR - 7])
})

Delivery('24 h after the final status a last attempt is made; if it fails, the delivery is given up', () => {
  const late = { ...newDelivery(START), attempts: 5, dueAt: START + 24 * HOUR - 1 }
  const failed = { type: 'receiver.failed', attempt: 6, backoff } as const
  const waiting = stepped(begun(late), failed, START + 24 * HOUR - 1)
  assert.equal([waiting.state, waiting.dueAt], ['waiting', START + 24 * HOUR])
  const at = START + 24 * HOUR + 50
  const over = stepped(begun(waiting), { ...failed, attempt: 7 }, at)
  assert.equal([over.state, over.dueAt], ['givenUp', at + 24 * HOUR])
})

Delivery('a delivery whose 24 h ended while the server was down is tried once more', () => {
  const late = newDelivery(START - 48 * HOUR)
  const sending = stepDelivery(late, { ...timeIn(late), at: START })
  assert.ok(sending?.posts)
})

Delivery('an accepted or refused delivery ends, and its row is deleted after 24 h', () => {
  const sending = begun(newDelivery(START))
  const delivered = stepped(sending, { type: 'receiver.accepted', attempt: 1 }, START + 5)
  assert.equal([delivered.state, delivered.dueAt], ['delivered', START + 5 + 24 * HOUR])
  assert.is(stepped(sending, { type: 'server.refused', attempt: 1 }, START + 5).state, 'givenUp')
  const event = timeIn(delivered)
  assert.is(stepDelivery(delivered, event)?.facts, 'forgotten')
})

Delivery('an outcome of another attempt is refused', () => {
  const voided = stepped(begun(newDelivery(START)), { type: 'attempt.voided', attempt: 1 }, START + 9)
  assert.equal([voided.state, voided.dueAt, voided.attempts], ['waiting', START + 9, 1])
  const second = begun(voided)
  for (const type of ['receiver.accepted', 'server.refused', 'attempt.voided'] as const)
    assert.is(stepDelivery(second, { type, attempt: 1, at: START + 10 }), null)
  assert.is(stepDelivery(second, { type: 'receiver.failed', attempt: 1, backoff, at: START + 10 }), null)
})

Delivery('an attempt becomes void at the end of its lease', () => {
  const sending = begun(newDelivery(START))
  assert.equal(timeIn(sending), { type: 'xstate.after.lease.delivery.sending', at: sending.dueAt })
  const voided = stepDelivery(sending, timeIn(sending))
  assert.equal(voided, { facts: { ...sending, state: 'waiting' }, posts: false })
})

Delivery(
  'an attempt whose lease elapses after 24 h is followed by another one, whose failure is the last',
  () => {
    const { giveUpAt } = newDelivery(START)
    const sending = { state: 'sending', dueAt: giveUpAt + HOUR, giveUpAt, attempts: 7 } as const
    const voided = stepDelivery(sending, timeIn(sending))?.facts
    assert.equal(voided, { ...sending, state: 'waiting' })
    const again = begun({ ...sending, state: 'waiting' })
    assert.equal([again.attempts, again.dueAt], [8, giveUpAt + HOUR + SENDING_LEASE_MS])
    const at = giveUpAt + HOUR + 5
    assert.is(stepped(again, { type: 'attempt.voided', attempt: 8 }, at).state, 'waiting')
    assert.is(stepped(again, { type: 'receiver.failed', attempt: 8, backoff }, at).state, 'givenUp')
  },
)

Delivery('an operator can only repeat a waiting delivery', () => {
  const event = { type: 'operator.replayed', at: START + 3 } as const
  const waiting = { ...newDelivery(START), dueAt: START + 999 }
  assert.equal(stepDelivery(waiting, event), { facts: { ...waiting, dueAt: START + 3 }, posts: false })
  const sending = begun(newDelivery(START))
  const delivered = stepped(sending, { type: 'receiver.accepted', attempt: 1 }, START)
  for (const other of [sending, delivered]) assert.is(stepDelivery(other, event), null)
})

Delivery.run()
