/** A circuit breaker, which keeps calls from piling up if the store does not answer. Each such call would wait for seconds, and its caller too. After
 *  several failures in a row only one call at a time is tried, and all others fail at once. The first answer closes the circuit again. @module */
import { StoreError } from './store-error.ts'

/** The number of unanswered calls in a row after which the circuit opens. A single broken connection must not open it. */
const FAILURES = 5
/** The maximum number of concurrent calls, which is far above what a store answers within the time limit of a call. */
const MOST_CALLS = 10_000

export class Circuit {
  readonly #name: string
  #failures = 0
  #calls = 0

  /** @param name of the store, as a log may show it */
  constructor(name: string) {
    this.#name = name
  }

  /** True: the last calls got no answer. */
  get isOpen(): boolean {
    return this.#failures >= FAILURES
  }

  /** Runs a call of the store.
   *  @param isGone true if the error means that the store did not answer; any other error counts as an answer
   *  @throws {StoreError} at once, if the circuit is open or too many calls are running
   *  @throws errors of the work, unchanged */
  async run<Result>(work: () => Promise<Result>, isGone: (error: unknown) => boolean): Promise<Result> {
    this.#requireRoom()
    this.#calls += 1
    try {
      const result = await work()
      this.#failures = 0
      return result
    } catch (error) {
      this.#failures = isGone(error) ? this.#failures + 1 : 0
      throw error
    } finally {
      this.#calls -= 1
    }
  }

  #requireRoom(): void {
    if (this.isOpen && this.#calls > 0)
      throw new StoreError(
        `store ${this.#name}: expected an answer to one of the last ${FAILURES} calls, got none: one call at a time asks it until it answers`,
      )
    if (this.#calls >= MOST_CALLS)
      throw new StoreError(`store ${this.#name}: expected at most ${MOST_CALLS} calls at once, got more`)
  }
}
