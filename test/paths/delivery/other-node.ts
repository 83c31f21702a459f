/** The gate of another node on the same store, with a clock of its own. @module */
import { Gate } from '../../../actors/gate.ts'
import { type DeliveryKind, deliveryKind } from '../../../actors/kinds/delivery.ts'
import type { SessionServerStore } from '../../../stores/store.ts'

export const never = Number.POSITIVE_INFINITY

/** @param dueAt tells this node when a row is due */
export function gateAt(
  store: SessionServerStore,
  report: (id: string, error: unknown) => unknown,
  now: number,
  dueAt: (typeof deliveryKind)['dueAt'],
): Gate<DeliveryKind> {
  return new Gate<DeliveryKind>({
    kind: { ...deliveryKind, dueAt, workerOf: () => null },
    rows: { load: id => store.deliveries.load(id), commit: delivery => store.commit({ delivery }) },
    clock: { now: () => now },
    bootId: '',
    maxLive: 1,
    report,
    isAlive: async () => true,
    isWorkedOn: () => true,
    perform() {},
    noteDue() {},
    notifyRow() {},
  })
}
