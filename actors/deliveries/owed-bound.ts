/** The bound of owed callbacks that are not delivered yet (spec/laws#5). The creation of a session with a callback is refused while its requestor, or the host of its
 *  callback, has reached the bound. Accepted callbacks are never dropped, so those of open sessions may exceed the bound. @module */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../ports/clock.ts'
import { addressOf } from '../../ports/outgoing-address.ts'
import { UnavailableError } from '../../protocol/errors.ts'
import type { DeliveryParty, DeliveryStore } from '../../stores/delivery-store.ts'
import type { NewSession } from '../sessions.ts'

/** The longest time for which a count is reused: a burst of sessions costs the store one count. */
const COUNTED_MS = 1_000
/** The number of hosts and requestors with a cached count. */
const MAX_KEPT = 1_000

export type OwedBoundDeps = {
  readonly deliveries: Pick<DeliveryStore, 'countOwed'>
  readonly clock: Pick<Clock, 'now'>
  /** the most for one requestor, and the most for one host */
  readonly max: number
}

export class OwedBound {
  readonly #deps: OwedBoundDeps
  readonly #counted = new LRUCache<string, { readonly at: number; readonly count: Promise<number> }>({
    max: MAX_KEPT,
  })

  constructor(deps: OwedBoundDeps) {
    this.#deps = deps
  }

  /** @throws {UnavailableError} beyond the bound @throws {StoreError} */
  async requireRoom({ hasCallback, columns: { requestor, request } }: NewSession): Promise<void> {
    if (!hasCallback) return
    const host = addressOf(request.value.callbackUrl)?.host ?? ''
    await Promise.all([
      this.#require(`r ${requestor}`, { requestor }, 'of this requestor'),
      this.#require(`h ${host}`, { host }, 'to this host'),
    ])
  }

  async #require(key: string, by: DeliveryParty, words: string): Promise<void> {
    const { max } = this.#deps
    if ((await this.#count(key, by)) >= max)
      throw new UnavailableError(
        `expected fewer than ${max} callbacks ${words} that are not delivered yet ("max_owed_callbacks"), got as many`,
      )
  }

  #count(key: string, by: DeliveryParty): Promise<number> {
    const { deliveries, clock, max } = this.#deps
    const at = clock.now()
    const known = this.#counted.get(key)
    if (known && at >= known.at && at < known.at + COUNTED_MS) return known.count
    const count = deliveries.countOwed(by, max)
    this.#counted.set(key, { at, count })
    count.catch(() => this.#counted.delete(key)) // the caller receives the error
    return count
  }
}
