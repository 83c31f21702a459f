/** Reads members of a JSON value with their expected types. A member that is absent or `null` takes its default, as with existing servers (spec/session-server#0). Errors
 *  name the member and the JSON types, never a value. @module */
import { utf8Of } from '../ports/utf8.ts'
import { MalformedInputError, type RemoteError } from './errors.ts'
import { type JsonOptions, type JsonValue, readJson } from './json.ts'

export type JsonObject = { readonly [name: string]: JsonValue }

/** A value of unexpected shape. `mapShapeErrors` converts it to a remote error. */
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

/** The name of a value in messages. A function for the items of lists, so that the name is built only for an error. */
export type ValueName = string | (() => string)

export function nameOf(what: ValueName): string {
  return typeof what === 'string' ? what : what()
}

export function shapeError(what: ValueName, expected: string, got: JsonValue | undefined): ShapeError {
  return new ShapeError(`${nameOf(what)}: expected ${expected}, got ${typeName(got)}`)
}

/** False for absent and `null`, which mean the same. */
export function isGiven(json: JsonValue | undefined): json is Exclude<JsonValue, null> {
  return json !== undefined && json !== null
}

export function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

export function readObject(json: JsonValue | undefined, what: ValueName): JsonObject {
  if (!isObject(json)) throw shapeError(what, 'an object', json)
  return json
}

/** An absent value is an empty map. */
export function readMap(json: JsonValue | undefined, what: ValueName): JsonObject {
  return json === undefined || json === null ? {} : readObject(json, what)
}

/** An absent value is an empty list. */
export function readList(json: JsonValue | undefined, what: ValueName): readonly JsonValue[] {
  if (json === undefined || json === null) return []
  if (!isList(json)) throw shapeError(what, 'a list', json)
  return json
}

function isList(json: JsonValue): json is readonly JsonValue[] {
  return Array.isArray(json)
}

/** An absent value is the empty text.
 *  @param max maximum number of characters */
export function readString(
  json: JsonValue | undefined,
  what: ValueName,
  max: number = Number.POSITIVE_INFINITY,
): string {
  if (json === undefined || json === null) return ''
  if (typeof json !== 'string') throw shapeError(what, 'a string', json)
  if (json.length > max) throw shapeError(what, `at most ${max} characters`, json)
  return json
}

/** An absent value is false. */
export function readBoolean(json: JsonValue | undefined, what: ValueName): boolean {
  if (json === undefined || json === null) return false
  if (typeof json !== 'boolean') throw shapeError(what, 'true or false', json)
  return json
}

/** An absent value is 0.
 *  @param max maximum; the minimum is 0 */
export function readInteger(json: JsonValue | undefined, what: ValueName, max: number): number {
  if (json === undefined || json === null) return 0
  const expected = `an integer from 0 to ${max}`
  if (typeof json === 'number' && Number.isInteger(json) && json >= 0 && json <= max) return json
  if (typeof json === 'bigint' || Number.isInteger(json))
    throw new ShapeError(`${nameOf(what)}: expected ${expected}, got another integer`)
  throw shapeError(what, expected, json)
}

/** Runs a parser and converts its shape errors to the remote error of the endpoint. Other remote errors pass. */
export function mapShapeErrors<Value>(
  Kind: new (message: string, options?: ErrorOptions) => RemoteError,
  parse: () => Value,
): Value {
  try {
    return parse()
  } catch (cause) {
    const isShape = cause instanceof ShapeError || cause instanceof MalformedInputError
    if (isShape) throw new Kind(cause.message, { cause })
    throw cause
  }
}

/** Parses a JSON text from its bytes. Other bytes than UTF-8 are a shape error: replacement characters would change a signed text.
 *  @param name of the text, for errors */
export function readJsonBytes(bytes: Uint8Array, name: string, options: JsonOptions = {}): JsonValue {
  const text = utf8Of(bytes)
  if (text === null) throw new ShapeError(`${name}: expected UTF-8, got other bytes`)
  return readText(text, options)
}

/** Parses a JSON text. Numbers must be integers, unless the options allow others. A text that is not JSON is also a shape error. */
export function readText(text: string, options: JsonOptions = {}): JsonValue {
  try {
    return readJson(text, { integersFrom: 0, ...options })
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof RangeError)
      throw new ShapeError(cause.message, { cause })
    throw cause
  }
}
