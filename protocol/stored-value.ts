/** A value that this program keeps as text, in a column of a row. Whoever has it reads the value, which is parsed when it is first read, and once for all
 *  rows and readers that share it. @module */
import { restoreJson } from './json.ts'

export class StoredValue<T> {
  /** as it is stored, JSON */
  readonly text: string
  readonly #restore: (json: unknown) => T
  #value: T | undefined

  /** @param text what this program wrote, in this version or an earlier one
   *  @param restore makes the value of what the text says */
  constructor(text: string, restore: (json: unknown) => T) {
    this.text = text
    this.#restore = restore
  }

  /** @throws {SyntaxError} for a text that was damaged, without quoting it */
  get value(): T {
    this.#value ??= this.#restore(restoreJson(this.text))
    return this.#value
  }
}
