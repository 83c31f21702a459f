/** An attempt at a delivery, of any kind. @module */
import type { DeliveryEvent } from '../../machines/delivery.ts'
import type { Trace } from '../../ports/traces.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'

/** The outcome of an attempt, and its words in the log. */
export type AttemptOutcome = {
  readonly event: DeliveryEvent
  readonly words: string
  /** trace of the call; left out: no call was made, or it has no trace */
  readonly trace?: Trace
}

/** @param row in `sending`
 *  @param stop gives up waiting for the answer */
export type Attempt = (row: DeliveryRow, stop: AbortSignal) => Promise<AttemptOutcome>
