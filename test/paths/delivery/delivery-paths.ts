/** The model of the delivery chart for its paths. An event belongs to the current attempt or to another one, and happens before or after the end of the 24 h.
 *  The number of attempts is not part of a state, because the number of states would be infinite. @module */
import { getNextTransitions, transition } from 'xstate'
import {
  type DeliverySnapshot,
  deliveryChart,
  type StampedDeliveryEvent,
} from '../../../machines/delivery.ts'
import { isTimer } from '../../../machines/timers.ts'
import type { Edge, PathModel } from '../engine/graph.ts'
import type { Path } from '../engine/plan.ts'
import { effectsAmong } from '../tables/read-chart.ts'

/** Events of a receiver need an address. */
export type DeliveryVariant = { readonly hasAddress: boolean }
export type DeliveryEdge = Edge<StampedDeliveryEvent, DeliveryVariant>
export type DeliveryPath = Path<StampedDeliveryEvent, DeliveryVariant>

/** The pauses after failed attempts. */
export const BACKOFF = { firstMs: 1_000, maxMs: 60_000 }
const backoff = BACKOFF

/** The distance of another attempt from the current one: one later for some events and one earlier for others, so that both orders of the numbers are tried. */
export function distanceOfOther({ type }: Pick<StampedDeliveryEvent, 'type'>): 1 | -1 {
  return type === 'receiver.accepted' || type === 'attempt.voided' ? 1 : -1
}

type AttemptEvent = Extract<StampedDeliveryEvent, { readonly attempt: number }>

function outcomesOf(attempt: number, giveUpAt: number): AttemptEvent[] {
  return [
    { type: 'receiver.accepted', attempt, at: 0 },
    { type: 'receiver.failed', attempt, backoff, at: 0 },
    { type: 'receiver.failed', attempt, backoff, at: giveUpAt },
    { type: 'server.refused', attempt, at: 0 },
    { type: 'attempt.voided', attempt, at: 0 },
  ]
}

function eventsOf(snapshot: DeliverySnapshot, { hasAddress }: DeliveryVariant): StampedDeliveryEvent[] {
  const { attempts, giveUpAt } = snapshot.context
  const timers = getNextTransitions(snapshot).flatMap(({ eventType: type }) =>
    isTimer(type) ? [{ type, at: 0 }] : [],
  )
  const current = outcomesOf(attempts, giveUpAt).filter(
    // an attempt without an address always ends with this event, and one with an address never does
    ({ type }) => snapshot.value !== 'sending' || (type === 'server.refused') !== hasAddress,
  )
  const others = outcomesOf(attempts, giveUpAt).map(event => ({
    ...event,
    attempt: attempts + distanceOfOther(event),
  }))
  return [...current, ...others, { type: 'operator.replayed', at: 0 }, ...timers]
}

/** True if the event happens after the end of the 24 h. */
export function isLate({ event }: Pick<DeliveryEdge, 'event'>): boolean {
  return event.type === 'receiver.failed' && event.at > 0
}

function wordsOf(event: StampedDeliveryEvent, { context }: DeliverySnapshot): string {
  if (isTimer(event.type)) return 'time passes'
  const other = 'attempt' in event && event.attempt !== context.attempts ? ' of another attempt' : ''
  return `${event.type}${other}${isLate({ event }) ? ' after 24 h' : ''}`
}

/** The effects that a step requests. */
export function effectsOf(snapshot: DeliverySnapshot, event: StampedDeliveryEvent): string[] {
  const [, actions] = transition(deliveryChart, snapshot, event)
  return effectsAmong(actions)
}

export const DELIVERY_MODEL: PathModel<
  DeliverySnapshot,
  StampedDeliveryEvent,
  { readonly at: number },
  DeliveryVariant
> = {
  name: 'delivery chart',
  chart: deliveryChart,
  variants: [{ hasAddress: true }, { hasAddress: false }],
  inputOf: () => ({ at: 0 }),
  titleOf: ({ hasAddress }) => (hasAddress ? '' : 'without an address'),
  stateOf: ({ value }) => value,
  eventsOf,
  wordsOf,
  effectsOf,
}
