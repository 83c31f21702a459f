/** What the log says of a store: each cause of failures once, since another cause has another remedy, and once that all is over. @module */
import type { Clock } from '../ports/clock.ts'
import type { StoreFailure } from './store-failure.ts'

/** The shortest time without a failure after which it is over: a disk that is nearly full takes some commits and refuses others. */
const OVER_AFTER_MS = 5_000

/** Lines of the log. */
export type TellStore = {
  /** @param message names the store, and what can be done */
  readonly failing: (message: string) => void
  readonly working: (message: string) => void
}

export class Health {
  readonly #name: string
  readonly #clock: Pick<Clock, 'now'>
  readonly #tell: TellStore
  /** when it last failed; null: it works */
  #failedAt: number | null = null
  /** what was logged since it last worked: as many messages as there are errors for our statements */
  readonly #logged = new Set<string>()

  /** @param name as the log shows it, without a password */
  constructor(name: string, clock: Pick<Clock, 'now'>, tell: TellStore) {
    this.#name = name
    this.#clock = clock
    this.#tell = tell
  }

  failed({ message }: StoreFailure): void {
    if (!this.#logged.has(message)) this.#tell.failing(message)
    this.#logged.add(message)
    this.#failedAt = this.#clock.now()
  }

  /** The store has done its work. */
  worked(): void {
    if (this.#failedAt === null || this.#clock.now() < this.#failedAt + OVER_AFTER_MS) return
    this.#failedAt = null
    this.#logged.clear()
    this.#tell.working(`store ${this.#name}: it works again`)
  }
}
