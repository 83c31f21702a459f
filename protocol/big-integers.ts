/** Integers of any size in JSON (`spec/cryptography.md` 4): written as Base64, read as Base64 or as JSON integers. Often secret: no value
 *  stands in an error. @module */
import { bitLength, fitsBits, fromBase64, toBase64 } from '../crypto/bytes.ts'
import type { JsonValue } from './json.ts'
import { nameOf, readMap, ShapeError, shapeError, type What } from './shape.ts'

/** The longest nonce or context that is read; apps send 128 bits. It stands in hashes and results, where nothing else bounds it. */
const MAX_NONCE_BITS = 256

/** The most bits of a number in a proof, signature or witness: the square of the longest modulus, which a wallet that catches up with a
 *  revocation may send. Responses are shorter: 5,509 bits at most under a key of 4096 bits. It stands in results, where nothing else bounds it. */
const MAX_BITS = 2 * 4096

/** The bound for the value of an attribute, which may be of any length (`spec/cryptography.md` 5.1): its text is bounded with all others of its message. */
export const ANY_LENGTH = Number.POSITIVE_INFINITY

const INDEX = /^(0|[1-9][0-9]{0,4})$/

/** Decimal without sign or leading zeros, so that no index has two spellings (MUST 5). */
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

/** A string of Base64, or a JSON integer of any size (`spec/cryptography.md` 4).
 *  @throws {ShapeError} also if it is absent, or has more bits */
export function readBigInteger(json: JsonValue | undefined, what: What, maxBits = MAX_BITS): bigint {
  const number = readAnyInteger(json, what)
  if (maxBits === ANY_LENGTH || fitsBits(number, maxBits)) return number
  throw new ShapeError(`${nameOf(what)}: expected at most ${maxBits} bits, got ${bitLength(number)}`)
}

function readAnyInteger(json: JsonValue | undefined, what: What): bigint {
  if (typeof json === 'bigint' && json >= 0n) return json
  if (typeof json === 'number' && Number.isSafeInteger(json) && json >= 0) return BigInt(json)
  if (typeof json !== 'string') throw shapeError(what, 'Base64 or a non-negative integer', json)
  try {
    return fromBase64(json)
  } catch {
    throw shapeError(what, 'standard Base64 with padding', json)
  }
}

/** A number that proofs are bound to: a nonce, or `context`.
 *  @throws {ShapeError} also if it is absent */
export function readNonce(json: JsonValue | undefined, what: string): bigint {
  return readBigInteger(json, what, MAX_NONCE_BITS)
}

/** From index to Base64, names sorted as the wire has them. */
export function writeIntegerMap(map: ReadonlyMap<number, bigint>): ReadonlyMap<string, string> {
  return new Map([...map].map(([index, value]) => [String(index), toBase64(value)]))
}
