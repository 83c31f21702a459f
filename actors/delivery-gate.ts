/** The gate of deliveries: the one way in which a delivery changes, also for an operator's command beside a running server. One turn loads the row, asks
 *  the chart, and commits with one compare-and-set; only then its effect may start. Whoever loses a race begins again from the stored truth. @module */
import {
  DELIVERY_CHART,
  deliveryTimeEvent,
  type StampedDeliveryEvent,
  stepDelivery,
} from '../machines/delivery.ts'
import { Unavailable } from '../protocol/errors.ts'
import type { DeliveryRow, DeliveryStore } from '../stores/delivery-store.ts'

/** Of one turn: lost races. */
const MAX_ATTEMPTS = 8

export type DeliveryTurn = {
  /** as committed; null: the delivery is forgotten */
  readonly row: DeliveryRow | null
  /** the row is in `sending`, and whoever committed it is to post */
  readonly posts: boolean
}

/** Looks at the stored row; null: nothing is to be done. May be called again after a lost race. */
export type DecideEvent = (row: DeliveryRow) => StampedDeliveryEvent | null

/** @param bootId of this process
 *  @param words how the log says what happened, where it is the outcome of an attempt
 *  @returns null if nothing changed: there is no such delivery, nothing is to be done, the chart refuses it, or a newer chart wrote the row
 *  @throws the store's errors, and {Unavailable} */
export async function enterDelivery(
  deliveries: DeliveryStore,
  bootId: string,
  id: string,
  decide: DecideEvent,
  words?: string,
): Promise<DeliveryTurn | null> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const row = await deliveries.load(id)
    if (row === null || row.chart > DELIVERY_CHART) return null
    const event = decide(row)
    const stepped = event && stepDelivery(row, event)
    if (!stepped) return null
    const { facts, posts } = stepped
    const after = facts === 'forgotten' ? null : rowAfter(row, { ...row, ...facts }, bootId, words)
    if (await deliveries.commit(id, row.version, after)) return { row: after, posts }
  }
  throw new Unavailable(`delivery ${id}: no turn within ${MAX_ATTEMPTS} attempts`)
}

/** What is to be delivered goes with the end of the delivery. */
function rowAfter(
  before: DeliveryRow,
  moved: DeliveryRow,
  bootId: string,
  words = before.lastOutcome,
): DeliveryRow {
  const hasEnded = moved.state === 'delivered' || moved.state === 'givenUp'
  return {
    ...moved,
    version: before.version + 1,
    chart: DELIVERY_CHART,
    bootId: moved.state === 'sending' ? bootId : null,
    lastOutcome: words,
    message: hasEnded ? null : before.message,
  }
}

/** What time alone has caused. */
export function whatTimeCaused(now: number): DecideEvent {
  return row => deliveryTimeEvent(row, now)
}
