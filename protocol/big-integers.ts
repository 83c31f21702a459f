/** Integers of any size in JSON (spec/cryptography#4): written as Base64, read as Base64 or as JSON integers. They are often secret, so no error contains a
 *  value. @module */
import { bitLength, fitsBits, fromBase64, toBase64 } from '../crypto/bytes.ts'
import type { JsonValue } from './json.ts'
import { nameOf, readMap, ShapeError, shapeError, type ValueName } from './shape.ts'

/** Maximum size of a nonce or context; apps send 128 bits. Hashes and results contain it, and nothing else bounds it there. */
const MAX_NONCE_BITS = 256

/** Maximum number of bits of a number in a proof, signature or witness. It is the size of the square of the longest modulus, which a wallet may send after it
 *  caught up with a revocation. Responses are shorter: 5,509 bits at most under a key of 4096 bits. Results contain them, and nothing else bounds them there. */
const MAX_BITS = 2 * 4096

/** No bound, for the value of an attribute, which may have any length (spec/cryptography#5.1). The characters of a whole message are bounded. */
export const ANY_LENGTH = Number.POSITIVE_INFINITY

const INDEX = /^(0|[1-9][0-9]{0,4})$/

/** Reads a map from index to integer. An index is decimal without sign or leading zeros, so that it has one spelling only (MUST 5). */
export function readIntegerMap(
  json: JsonValue | undefined,
  what: string,
  maxBits = MAX_BITS,
): Map<number, bigint> {
  const members = Object.entries(readMap(json, what)).map(([index, value]): [number, bigint] => {
    if (!INDEX.test(index))
      throw new ShapeError(`${what}: expected attribute indices as member names, got something else`)
    return [Number(index), readBigInteger(value, () => `${what}["${index}"]`, maxBits)]
  })
  return new Map(members)
}

/** Reads a Base64 string, or a JSON integer of any size (spec/cryptography#4).
 *  @throws {ShapeError} also if it is absent, or has more bits */
export function readBigInteger(json: JsonValue | undefined, what: ValueName, maxBits = MAX_BITS): bigint {
  const number = readAnyInteger(json, what)
  if (maxBits === ANY_LENGTH || fitsBits(number, maxBits)) return number
  throw new ShapeError(`${nameOf(what)}: expected at most ${maxBits} bits, got ${bitLength(number)}`)
}

function readAnyInteger(json: JsonValue | undefined, what: ValueName): bigint {
  if (typeof json === 'bigint' && json >= 0n) return json
  if (typeof json === 'number' && Number.isSafeInteger(json) && json >= 0) return BigInt(json)
  if (typeof json !== 'string') throw shapeError(what, 'Base64 or a non-negative integer', json)
  try {
    return fromBase64(json)
  } catch {
    throw shapeError(what, 'standard Base64 with padding', json)
  }
}

/** Reads a number that proofs are bound to: a nonce, or `context`.
 *  @throws {ShapeError} also if it is absent */
export function readNonce(json: JsonValue | undefined, what: string): bigint {
  return readBigInteger(json, what, MAX_NONCE_BITS)
}

/** A map from index to Base64. `writeJson` sorts the names. */
export function writeIntegerMap(map: ReadonlyMap<number, bigint>): ReadonlyMap<string, string> {
  return new Map([...map].map(([index, value]) => [String(index), toBase64(value)]))
}
