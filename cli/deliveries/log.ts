/** What the log of a server says of deliveries: which one, and what its attempts came to; never what was sent, nor the address. @module */
import type { Logger } from 'pino'
import type { DeliveriesDeps } from '../../actors/deliveries.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import { unlessOfStore } from '../server/open-option-store.ts'

export function deliveryLog(
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
): Pick<DeliveriesDeps, 'tell' | 'report'> {
  return {
    tell({ id, state, attempts, lastOutcome }: DeliveryRow) {
      const facts = { delivery: id, attempts, outcome: lastOutcome }
      if (state === 'delivered') log.info(facts, 'callback delivered')
      else if (state === 'givenUp') log.warn(facts, 'callback given up')
      else log.warn(facts, 'callback not delivered yet')
    },
    report: unlessOfStore((delivery: string, error) =>
      log.error({ delivery, err: error }, 'delivery failed'),
    ),
  }
}
