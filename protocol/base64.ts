/** Bytes in JSON: Base64 in its canonical spelling, with padding. @module */
import type { JsonValue } from './json.ts'
import { readString, ShapeError } from './shape.ts'

type Alphabet = 'base64' | 'base64url'

/** Reads bytes. An absent value is empty.
 *  @param max maximum number of characters
 *  @throws {ShapeError} */
export function readBytes(
  json: JsonValue | undefined,
  what: string,
  alphabet: Alphabet,
  max: number,
): Uint8Array {
  const text = readString(json, what, max)
  const bytes = Buffer.from(text, alphabet)
  if (writeBytes(bytes, alphabet) !== text) throw new ShapeError(`${what}: expected ${alphabet} with padding`)
  return new Uint8Array(bytes)
}

export function writeBytes(bytes: Uint8Array, alphabet: Alphabet): string {
  const text = Buffer.from(bytes).toString(alphabet)
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}
