/** Signs that a store fails, as far as this node knows them from its own calls. Readiness reads them (http/readiness.ts). @module */
import { Refused } from './store-failure.ts'

/** What readiness reads. */
export type Outage = {
  /** Several calls in a row got no answer, and no call has got one since. */
  readonly isGone: boolean
  /** The store has refused a write, and no write has succeeded since. */
  readonly refusesWrites: boolean
}

export const NO_OUTAGE: Outage = { isGone: false, refusesWrites: false }

/** A store enters the outcome of its writes here. */
export class Writes implements Outage {
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

  /** @param error of a write. A late answer, a lost connection or a lost lease is no refusal: another write may succeed */
  failed(error: unknown): void {
    if (error instanceof Refused) this.#areRefused = true
  }
}
