/** Whether the file of a store does its work: every failure passes here. The log hears of each cause once, since another cause has another remedy, and
 *  once that all is over. @module */
import { statSync } from 'node:fs'
import type { Clock } from '../../../ports/clock.ts'
import { StoreFailure } from '../../store-failure.ts'
import { failureOf } from './sqlite-errors.ts'

/** The shortest time without a failure after which it is over: a disk that is nearly full takes some commits and refuses others. */
const OVER_AFTER_MS = 5_000

/** Lines of the log. */
export type TellStore = {
  /** @param message names the file, and what can be done */
  readonly failing: (message: string) => void
  readonly working: (message: string) => void
}

export class StoreHealth {
  readonly file: string
  readonly #clock: Pick<Clock, 'now'>
  readonly #tell: TellStore
  /** The file as it was opened: SQLite goes on with it, and what it writes is gone, when the name is taken from it. */
  readonly #opened: { readonly ino: number; readonly dev: number }
  /** when it last failed; null: it works */
  #failedAt: number | null = null
  /** what was logged since it last worked: as many messages as SQLite has errors for our statements */
  readonly #logged = new Set<string>()

  /** @param file exists */
  constructor(file: string, clock: Pick<Clock, 'now'>, tell: TellStore) {
    this.file = file
    this.#clock = clock
    this.#tell = tell
    this.#opened = statSync(file)
  }

  /** @throws {StoreFailure} if the name leads to no file, or to another one */
  assertThere(): void {
    const found = statSync(this.file, { throwIfNoEntry: false })
    const { ino, dev } = this.#opened
    if (found?.ino === ino && found.dev === dev) return
    const got = found ? 'another one' : 'none'
    throw new StoreFailure(
      `store ${this.file}: expected the file that was opened, got ${got}: put it back, or start the server again`,
    )
  }

  /** @returns the error to throw */
  failed(error: unknown): unknown {
    const failure = failureOf(this.file, error)
    if (!(failure instanceof StoreFailure)) return failure
    if (!this.#logged.has(failure.message)) this.#tell.failing(failure.message)
    this.#logged.add(failure.message)
    this.#failedAt = this.#clock.now()
    return failure
  }

  /** Something was written. */
  worked(): void {
    if (this.#failedAt === null || this.#clock.now() < this.#failedAt + OVER_AFTER_MS) return
    this.#failedAt = null
    this.#logged.clear()
    this.#tell.working(`store ${this.file}: it works again`)
  }
}
