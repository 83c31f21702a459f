/** Logs failures of a store: each cause once, because each has another remedy, and once when the store works again. @module */
import type { Clock } from '../ports/clock.ts'
import type { StoreError } from './store-error.ts'

/** The minimum time without a failure after which the store counts as working. A disk that is nearly full accepts some commits and refuses others. */
const OVER_AFTER_MS = 5_000

/** Writes lines of the log. */
export type TellStore = {
  /** @param message names the store and the remedy */
  readonly failing: (message: string) => void
  readonly working: (message: string) => void
}

export class Health {
  readonly #name: string
  readonly #clock: Pick<Clock, 'now'>
  readonly #tell: TellStore
  /** Unix ms of the last failure; null: the store works */
  #failedAt: number | null = null
  /** messages that were logged since the store last worked; their number is bounded by the errors that our statements can get */
  readonly #logged = new Set<string>()

  /** @param name as the log shows it, without a password */
  constructor(name: string, clock: Pick<Clock, 'now'>, tell: TellStore) {
    this.#name = name
    this.#clock = clock
    this.#tell = tell
  }

  failed({ message }: StoreError): void {
    if (!this.#logged.has(message)) this.#tell.failing(message)
    this.#logged.add(message)
    this.#failedAt = this.#clock.now()
  }

  /** Reports a success of the store. */
  worked(): void {
    if (this.#failedAt === null || this.#clock.now() < this.#failedAt + OVER_AFTER_MS) return
    this.#failedAt = null
    this.#logged.clear()
    this.#tell.working(`store ${this.#name}: it works again`)
  }
}
