/** What keeps calls from piling up before a store that is gone. Each of them would wait for seconds, and with it whoever asked; once several in a row have got no
 *  answer, one at a time asks the store, and all others fail at once. The first that is answered lets all of them through again. @module */
import { StoreFailure } from './store-failure.ts'

/** The number of calls in a row without an answer after which the store counts as gone: one connection that breaks is no sign of it. */
const FAILURES = 5
/** The most calls at once, which is far beyond what a store answers within the time of a call. */
const MOST_CALLS = 10_000

export class Circuit {
  readonly #name: string
  #failures = 0
  #calls = 0

  /** @param name of the store, as a log may show it */
  constructor(name: string) {
    this.#name = name
  }

  /** Whether the last calls got no answer. */
  get isOpen(): boolean {
    return this.#failures >= FAILURES
  }

  /** A call of the store.
   *  @param isGone whether an error says that the store gave no answer; any other error is one
   *  @throws {StoreFailure} at once, if the store was not asked
   *  @throws what the work throws */
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
      throw new StoreFailure(
        `store ${this.#name}: expected an answer to one of the last ${FAILURES} calls, got none: one call at a time asks it until it answers`,
      )
    if (this.#calls >= MOST_CALLS)
      throw new StoreFailure(`store ${this.#name}: expected at most ${MOST_CALLS} calls at once, got more`)
  }
}
