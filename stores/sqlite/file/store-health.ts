/** Whether the file of a store does its work: every failure passes here. @module */
import { statSync } from 'node:fs'
import type { Clock } from '../../../ports/clock.ts'
import { Health, type TellStore } from '../../health.ts'
import { Refused, StoreFailure } from '../../store-failure.ts'
import { failureOf } from './sqlite-errors.ts'

export class StoreHealth {
  readonly file: string
  readonly #health: Health
  /** The file as it was opened: SQLite goes on with it, and what it writes is gone, when the name is taken from it. */
  readonly #opened: { readonly ino: number; readonly dev: number }
  /** Whether it was found there in this turn of the event loop: whoever takes it away within a turn might have done so after it. */
  #isFound = false

  /** @param file exists */
  constructor(file: string, clock: Pick<Clock, 'now'>, tell: TellStore) {
    this.file = file
    this.#health = new Health(file, clock, tell)
    this.#opened = statSync(file)
  }

  /** @throws {Refused} if the name leads to no file, or to another one */
  assertThere(): void {
    if (this.#isFound) return
    const found = statSync(this.file, { throwIfNoEntry: false })
    const { ino, dev } = this.#opened
    if (found?.ino === ino && found.dev === dev) {
      this.#noteFound()
      return
    }
    const got = found ? 'another one' : 'none'
    throw new Refused(
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
    if (!(failure instanceof StoreFailure)) return failure
    this.#health.failed(failure)
    return failure
  }

  /** Something was written. */
  worked(): void {
    this.#health.worked()
  }
}
