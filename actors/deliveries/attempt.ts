/** What an attempt at a delivery is, whatever is delivered. @module */
import type { DeliveryEvent } from '../../machines/delivery.ts'
import type { Trace } from '../../ports/traces.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'

/** The outcome of an attempt, and how the log says it. */
export type Attempted = {
  readonly event: DeliveryEvent
  readonly words: string
  /** of the call that was made; left out: none was, or it has none */
  readonly trace?: Trace
}

/** @param row in `sending`
 *  @param stop gives up waiting for the answer */
export type Attempt = (row: DeliveryRow, stop: AbortSignal) => Promise<Attempted>
