/** The delivery chart equals its table: the same edges, targets, effects and deadlines. @module */
import { getAdjacencyMap } from '@xstate/graph'
import * as assert from 'uvu/assert'
import { transition } from 'xstate'
import {
  type DeliverySnapshot,
  deliveryChart,
  newDelivery,
  type StampedDeliveryEvent,
  wakeDelivery,
} from '../../../machines/delivery.ts'
import { isTimer } from '../../../machines/timers.ts'
import { suite } from '../../suite.ts'
import {
  DELIVERY,
  DELIVERY_BEGINS,
  DELIVERY_STATES,
  FIRST_PAUSE_SEC,
  LONGEST_PAUSE_SEC,
  NEAR_END_SEC,
} from './delivery.ts'
import { begun, NOW, readBeginning, readChart, timersIn } from './read-chart.ts'
import { testTable } from './same-tests.ts'

const HOUR_MS = 3_600_000
const backoff = { firstMs: FIRST_PAUSE_SEC * 1_000, maxMs: LONGEST_PAUSE_SEC * 1_000 }

function eventsIn(state: DeliverySnapshot, at = NOW): StampedDeliveryEvent[] {
  const { attempts } = state.context
  const outcomes = [attempts, attempts + 1].flatMap((attempt): StampedDeliveryEvent[] => [
    { type: 'receiver.accepted', attempt, at },
    { type: 'receiver.failed', attempt, backoff, at },
    { type: 'server.refused', attempt, at },
    { type: 'attempt.voided', attempt, at },
  ])
  const timers = timersIn(state).map(type => ({ type, at }))
  return [...outcomes, { type: 'operator.replayed', at }, ...timers]
}

/** The distance to the time after which no further attempt is made. */
function endOf(giveUpAt: number): string {
  if (giveUpAt <= NOW) return 'at the end'
  return giveUpAt - NOW <= NEAR_END_SEC * 1_000 ? 'near the end' : 'early'
}

function triggerOf(event: StampedDeliveryEvent, { context }: DeliverySnapshot): string {
  if (isTimer(event.type)) return 'time passes'
  const isOther = 'attempt' in event && event.attempt !== context.attempts
  const end = event.type === 'receiver.failed' ? ` ${endOf(context.giveUpAt)}` : ''
  return `${event.type}${end}${isOther ? ' of another attempt' : ''}`
}

function nameOf({ value, context }: DeliverySnapshot): string {
  return value === 'forgotten' ? value : `${value} ${Math.min(context.attempts, 3)}`
}

/** Long before that time, shortly before it, and at it. */
function placed({ value, context }: DeliverySnapshot): DeliverySnapshot[] {
  const ends = [NOW + HOUR_MS, NOW + NEAR_END_SEC * 1_000, NOW]
  return ends.map(giveUpAt =>
    deliveryChart.resolveState({ value, context: { ...context, dueAt: NOW + 1, giveUpAt } }),
  )
}

const map = getAdjacencyMap<DeliverySnapshot, StampedDeliveryEvent, { readonly at: number }>(deliveryChart, {
  input: { at: NOW - 1 },
  events: state => [NOW, state.context.giveUpAt].flatMap(at => eventsIn(state, at)),
  serializeState: nameOf,
})

const edges = readChart<DeliverySnapshot, StampedDeliveryEvent>({
  states: Object.values(map).map(({ state }) => state),
  placed,
  events: eventsIn,
  nameOf,
  triggerOf,
  endsOf: ({ context }) => [context.dueAt],
  can: (state, event) => state.can(event),
  step: (state, event) => transition(deliveryChart, state, event),
  timesOf: ({ context: before }, { context: after }) => [
    ...begun('due', before.dueAt, after.dueAt),
    ...begun('given up', before.giveUpAt, after.giveUpAt),
  ],
})

const Table = suite('delivery chart: its table in the specification')

const first = wakeDelivery(newDelivery(NOW))
const { dueAt, giveUpAt } = first.context

testTable(Table, {
  states: DELIVERY_STATES,
  begins: DELIVERY_BEGINS,
  rows: DELIVERY,
  edges,
  atLeast: 100,
  begun: [readBeginning(nameOf(first), [...begun('due', null, dueAt), ...begun('given up', null, giveUpAt)])],
})

Table('the outcome of another attempt is refused in every state', () => {
  const late = edges.filter(({ trigger }) => trigger.endsWith('of another attempt'))
  assert.ok(late.length > 100)
  assert.ok(late.every(({ to }) => to === null))
})

Table.run()
