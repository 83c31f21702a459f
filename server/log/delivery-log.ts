/** Log lines about deliveries: the delivery, the outcome of its attempts and the host. They never hold the content
 *  or the rest of the address, which may hold a secret or personal data. @module */
import type { Logger } from 'pino'
import { isMailKind } from '../../accounts/mails/texts.ts'
import type { DeliveriesDeps } from '../../actors/deliveries/deliveries.ts'
import { traceFields } from '../../http/request-facts.ts'
import type { Trace } from '../../ports/traces.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import { unlessOfStore } from '../open-option-store.ts'

/** ISO 8601. */
export function inWords(at: number): string {
  return new Date(at).toISOString()
}

export function deliveryLog(
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
): Pick<DeliveriesDeps, 'notify' | 'report'> {
  return {
    notify({ id, owner, cause, host, state, attempts, lastOutcome, dueAt }: DeliveryRow, trace?: Trace) {
      const what = isMailKind(cause) ? `mail (${cause})` : 'callback'
      const of = isMailKind(cause) ? { account: owner } : { session: owner }
      const outcome = { host, attempts, outcome: lastOutcome }
      const facts = { delivery: id, ...of, ...outcome, ...(trace && traceFields(trace)) }
      if (state === 'delivered') log.info(facts, `${what} delivered`)
      else if (state === 'givenUp') log.warn(facts, `${what} given up`)
      else log.warn({ ...facts, nextAttemptAt: inWords(dueAt) }, `${what} not delivered yet`)
    },
    report: unlessOfStore((delivery: string, error) =>
      log.error({ delivery, err: error }, 'delivery failed'),
    ),
  }
}
