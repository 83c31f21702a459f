/** Figures of deliveries: those that commits cause, their attempts and their ends. @module */
import { isMailKind, MAIL_KINDS } from '../../accounts/mails/texts.ts'
import { deliveryEndedAt } from '../../machines/delivery.ts'
import type { Meter } from '../../ports/meter.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'

const CALLBACK = 'callback'
/** Buckets up to a day, because a delivery is retried for a day. */
const DELIVERED_SEC = [0.1, 0.25, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200, 28_800, 86_400]

export type DeliveryFigures = {
  /** called for each delivery that a commit causes */
  readonly owed: (row: DeliveryRow) => void
  /** called for each commit of a delivery */
  readonly committed: (before: DeliveryRow | null, after: DeliveryRow | null) => void
}

/** @param sendsMails true if the server sends mails, false if it sends callbacks */
export function deliveryFigures(meter: Meter, sendsMails: boolean): DeliveryFigures {
  const known = (sendsMails ? MAIL_KINDS : [CALLBACK]).map(kind => ({ kind }))
  const counter = (name: string, help: string) => meter.counter({ name, help, labels: ['kind'] }, known)
  const owed = counter('svc_deliveries_owed_total', 'Callbacks and mails that became owed')
  const begun = counter('svc_delivery_attempts_total', 'Attempts to deliver a callback or a mail that began')
  const delivered = counter('svc_deliveries_delivered_total', 'Callbacks and mails that were accepted')
  const givenUp = counter('svc_deliveries_given_up_total', 'Callbacks and mails that were given up')
  const took = meter.durations(
    {
      name: 'svc_delivery_seconds',
      help: 'Time from the commit that owes a callback or a mail to its acceptance',
      labels: ['kind'],
    },
    DELIVERED_SEC,
  )
  return {
    owed: row => owed(kindOf(row)),
    committed(before, after) {
      if (after === null || before?.state === after.state) return
      const kind = kindOf(after)
      if (after.state === 'sending') begun(kind)
      if (after.state === 'givenUp') givenUp(kind)
      if (after.state !== 'delivered') return
      delivered(kind)
      took(kind, (deliveryEndedAt(after) - after.owedAt) / 1_000)
    },
  }
}

function kindOf({ cause }: DeliveryRow): { readonly kind: string } {
  return { kind: isMailKind(cause) ? cause : CALLBACK }
}
