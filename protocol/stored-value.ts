/** A value that this program stores as text, in a column of a row. It is parsed at the first access, once for all rows and readers that share it. @module */
import { restoreJson } from './json.ts'

export class StoredValue<T> {
  /** stored form, JSON */
  readonly text: string
  readonly #restore: (json: unknown) => T
  #value: T | undefined

  /** @param text written by this program, in this version or an earlier one
   *  @param restore converts the parsed JSON to the value */
  constructor(text: string, restore: (json: unknown) => T) {
    this.text = text
    this.#restore = restore
  }

  /** @throws {SyntaxError} for a damaged text, without quoting it */
  get value(): T {
    this.#value ??= this.#restore(restoreJson(this.text))
    return this.#value
  }
}
