/** Signs of a failing store, as far as this node sees them in its own calls. Readiness reads them (http/readiness.ts). @module */
import { StoreRefusalError } from './store-error.ts'

/** The state that readiness reads. */
export type Outage = {
  /** True: several calls in a row got no answer, and no call has been answered since. */
  readonly isGone: boolean
  /** True: the store has refused a write, and no write has succeeded since. */
  readonly refusesWrites: boolean
}

export const NO_OUTAGE: Outage = { isGone: false, refusesWrites: false }

/** Records the outcomes of a store's writes. */
export class WriteOutcomes implements Outage {
  readonly #isGone: () => boolean
  #areRefused = false

  constructor(isGone: () => boolean = () => false) {
    this.#isGone = isGone
  }

  get isGone(): boolean {
    return this.#isGone()
  }

  get refusesWrites(): boolean {
    return this.#areRefused
  }

  succeeded(): void {
    this.#areRefused = false
  }

  /** @param error of a write. A late answer, a lost connection or a lost lease is not a refusal, because the next write may succeed */
  failed(error: unknown): void {
    if (error instanceof StoreRefusalError) this.#areRefused = true
  }
}
