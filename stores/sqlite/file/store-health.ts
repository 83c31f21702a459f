/** Tracks if the file of a store works; all failures are reported here. @module */
import { statSync } from 'node:fs'
import type { Clock } from '../../../ports/clock.ts'
import { Health, type TellStore } from '../../health.ts'
import { StoreError, StoreRefusalError } from '../../store-error.ts'
import { failureOf } from './sqlite-errors.ts'

export class StoreHealth {
  readonly file: string
  readonly #health: Health
  /** Identity of the file that was opened. If its name is removed, SQLite continues to write to the unlinked file, and those commits are lost. */
  readonly #opened: { readonly ino: number; readonly dev: number }
  /** True: the file was already checked in this turn of the event loop. A removal within the turn could as well have happened after it. */
  #isFound = false

  /** @param file must exist */
  constructor(file: string, clock: Pick<Clock, 'now'>, tell: TellStore) {
    this.file = file
    this.#health = new Health(file, clock, tell)
    this.#opened = statSync(file)
  }

  /** @throws {StoreRefusalError} if the name leads to no file, or to another file */
  assertThere(): void {
    if (this.#isFound) return
    const found = statSync(this.file, { throwIfNoEntry: false })
    const { ino, dev } = this.#opened
    if (found?.ino === ino && found.dev === dev) {
      this.#noteFound()
      return
    }
    const got = found ? 'another one' : 'none'
    throw new StoreRefusalError(
      `store ${this.file}: expected the file that was opened, got ${got}: put it back, or start the server again`,
    )
  }

  #noteFound(): void {
    this.#isFound = true
    setImmediate(() => {
      this.#isFound = false
    })
  }

  /** @returns the error to throw */
  failed(error: unknown): unknown {
    const failure = failureOf(this.file, error)
    if (!(failure instanceof StoreError)) return failure
    this.#health.failed(failure)
    return failure
  }

  /** Reports a successful write. */
  worked(): void {
    this.#health.worked()
  }
}
