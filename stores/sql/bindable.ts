/** Values that may be written to a column. @module */

export type BindableValue = string | number | null | Uint8Array

/** Refuses values that a driver would change (half of a surrogate pair), cut (a text at its NUL) or refuse in its own way.
 *  @throws {TypeError} */
export function bindable(value: unknown): BindableValue {
  if (value === null || value instanceof Uint8Array) return value
  if (typeof value === 'string' && !value.includes('\0') && value.isWellFormed()) return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new TypeError('store: expected whole text without NUL, an integer, null or bytes to bind')
}
