/** Reads members of a JSON value with the type they must have. A member that is absent or `null` takes its default, as existing servers do
 *  (`spec/session-server.md` 0). Errors name the member and the JSON types, never a value. @module */
import { MalformedInput, type RemoteError } from './errors.ts'
import { type JsonOptions, type JsonValue, readJson } from './json.ts'

export type JsonObject = { readonly [name: string]: JsonValue }

/** A value that has not the expected shape; `mapShapeErrors` makes it a remote error. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError'
}

function typeName(json: JsonValue | undefined): string {
  if (json === undefined) return 'nothing'
  if (json === null) return 'null'
  if (Array.isArray(json)) return 'a list'
  if (typeof json === 'bigint' || Number.isInteger(json)) return 'an integer'
  if (typeof json === 'number') return 'a number with a fraction or an exponent'
  return typeof json === 'object' ? 'an object' : `a ${typeof json}`
}

/** How a message names a value; a function for values in lists, which may be long. */
export type What = string | (() => string)

export function nameOf(what: What): string {
  return typeof what === 'string' ? what : what()
}

export function shapeError(what: What, expected: string, got: JsonValue | undefined): ShapeError {
  return new ShapeError(`${nameOf(what)}: expected ${expected}, got ${typeName(got)}`)
}

/** Neither absent nor `null`, which say the same. */
export function isGiven(json: JsonValue | undefined): json is Exclude<JsonValue, null> {
  return json !== undefined && json !== null
}

export function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

export function readObject(json: JsonValue | undefined, what: What): JsonObject {
  if (!isObject(json)) throw shapeError(what, 'an object', json)
  return json
}

/** Absent: an empty map. */
export function readMap(json: JsonValue | undefined, what: What): JsonObject {
  return json === undefined || json === null ? {} : readObject(json, what)
}

/** Absent: an empty list. */
export function readList(json: JsonValue | undefined, what: What): readonly JsonValue[] {
  if (json === undefined || json === null) return []
  if (!isList(json)) throw shapeError(what, 'a list', json)
  return json
}

function isList(json: JsonValue): json is readonly JsonValue[] {
  return Array.isArray(json)
}

/** Absent: empty.
 *  @param max how many characters are allowed */
export function readString(
  json: JsonValue | undefined,
  what: What,
  max: number = Number.POSITIVE_INFINITY,
): string {
  if (json === undefined || json === null) return ''
  if (typeof json !== 'string') throw shapeError(what, 'a string', json)
  if (json.length > max) throw shapeError(what, `at most ${max} characters`, json)
  return json
}

/** Absent: false. */
export function readBoolean(json: JsonValue | undefined, what: What): boolean {
  if (json === undefined || json === null) return false
  if (typeof json !== 'boolean') throw shapeError(what, 'true or false', json)
  return json
}

/** Absent: 0.
 *  @param max largest value that is allowed; the smallest is 0 */
export function readInteger(json: JsonValue | undefined, what: What, max: number): number {
  if (json === undefined || json === null) return 0
  if (typeof json !== 'number' || !Number.isInteger(json) || json < 0 || json > max)
    throw shapeError(what, `an integer from 0 to ${max}`, json)
  return json
}

/** Runs a parser; what it finds wrong becomes the remote error that its endpoint answers. Remote errors of other types pass. */
export function mapShapeErrors<Value>(
  Kind: new (message: string, options?: ErrorOptions) => RemoteError,
  parse: () => Value,
): Value {
  try {
    return parse()
  } catch (cause) {
    const isShape = cause instanceof ShapeError || cause instanceof MalformedInput
    if (isShape) throw new Kind(cause.message, { cause })
    throw cause
  }
}

/** Reads a JSON text whose numbers are integers, unless the options say that some are not; one that is not JSON is an error of shape too. */
export function readText(text: string, options: JsonOptions = {}): JsonValue {
  try {
    return readJson(text, { integersFrom: 0, ...options })
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof RangeError)
      throw new ShapeError(cause.message, { cause })
    throw cause
  }
}
