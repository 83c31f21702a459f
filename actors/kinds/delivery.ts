/** Deliveries as a kind of actors (spec/decisions#callbacks): their chart, the events that time causes, and how a row follows from the previous row. Values
 *  in, values out. @module */
import {
  DELIVERY_CHART,
  type DeliveryEffect,
  type DeliveryEvent,
  type DeliverySnapshot,
  deliveryChart,
  deliveryDue,
  deliveryThatEnded,
  factsOfDelivery,
  type StampedDeliveryEvent,
  wakeDelivery,
} from '../../machines/delivery.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import type { Committer, Kind, StepOutcome } from '../kind.ts'

export type DeliveryKind = {
  readonly row: DeliveryRow
  readonly event: DeliveryEvent
  readonly stamped: StampedDeliveryEvent
  readonly snapshot: DeliverySnapshot
  readonly effect: DeliveryEffect
  /** words of the log, if the step is the outcome of an attempt */
  readonly written: { readonly words: string | null }
  readonly inserts: object
}

export const deliveryKind: Kind<DeliveryKind> = {
  name: 'delivery',
  chart: deliveryChart,
  number: DELIVERY_CHART,
  effects: ['post'],
  wake: wakeDelivery,
  stamped: (event, _row, at) => ({ ...event, at }),
  dueAt: ({ dueAt }) => dueAt,
  isOver: () => false, // an ended delivery is deleted
  workerOf: ({ bootId }) => bootId,
  timeEvent,
  rowAfter,
  insertsOf: () => ({}),
  closed,
}

/** An attempt begins when the gate notices that it is due: its lease counts from then. It is also void when the process that makes it is gone. */
function timeEvent({ attempts }: DeliveryRow, snapshot: DeliverySnapshot, now: number): StampedDeliveryEvent {
  const due = deliveryDue(snapshot)
  if (due !== null && due.at <= now) return { type: due.type, at: now }
  if (snapshot.value === 'sending') return { type: 'attempt.voided', attempt: attempts, at: now }
  throw new Error('delivery: expected a time that has elapsed, got none')
}

/** The message is deleted at the end of the delivery.
 *  @returns null: the delivery is forgotten */
function rowAfter(
  before: DeliveryRow,
  { snapshot, written: { words = before.lastOutcome } }: StepOutcome<DeliveryKind>,
  { bootId }: Committer,
): DeliveryRow | null {
  const facts = factsOfDelivery(snapshot)
  if (facts === null) return null
  const hasEnded = facts.state === 'delivered' || facts.state === 'givenUp'
  return {
    ...before,
    ...facts,
    version: before.version + 1,
    chart: DELIVERY_CHART,
    bootId: facts.state === 'sending' ? bootId : null,
    lastOutcome: words,
    message: hasEnded ? null : before.message,
  }
}

/** Message and address are unknown; the log line says so. */
function closed(before: DeliveryRow, now: number): { row: DeliveryRow; inserts: object } {
  const row: DeliveryRow = {
    ...before,
    ...deliveryThatEnded(now),
    version: before.version + 1,
    chart: DELIVERY_CHART,
    bootId: null,
    lastOutcome: 'the stored delivery could not be read',
    message: null,
  }
  return { row, inserts: {} }
}
