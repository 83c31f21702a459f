/** Integers of any size in JSON (`spec/cryptography.md` 4): written as Base64, read as Base64 or as JSON integers. Often secret: no value
 *  stands in an error. @module */
import { bitLength, fromBase64, toBase64 } from '../crypto/bytes.ts'
import type { JsonValue } from './json.ts'
import { readMap, ShapeError, shapeError, type What } from './shape.ts'

/** The longest nonce or context that is read; apps send 128 bits. It stands in hashes and results, where nothing else bounds it. */
const MAX_NONCE_BITS = 256

const INDEX = /^(0|[1-9][0-9]{0,4})$/

/** Decimal without sign or leading zeros, so that no index has two spellings (MUST 5). */
export function readIntegerMap(json: JsonValue | undefined, what: string): Map<number, bigint> {
  const members = Object.entries(readMap(json, what)).map(([index, value]): [number, bigint] => {
    if (!INDEX.test(index))
      throw new ShapeError(`${what}: expected attribute indices as member names, got something else`)
    return [Number(index), readBigInteger(value, () => `${what}["${index}"]`)]
  })
  return new Map(members)
}

/** A string of Base64, or a JSON integer of any size (`spec/cryptography.md` 4).
 *  @throws {ShapeError} also if it is absent */
export function readBigInteger(json: JsonValue | undefined, what: What): bigint {
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
  const nonce = readBigInteger(json, what)
  if (bitLength(nonce) > MAX_NONCE_BITS)
    throw new ShapeError(`${what}: expected at most ${MAX_NONCE_BITS} bits, got ${bitLength(nonce)}`)
  return nonce
}

/** From index to Base64, names sorted as the wire has them. */
export function writeIntegerMap(map: ReadonlyMap<number, bigint>): ReadonlyMap<string, string> {
  return new Map([...map].map(([index, value]) => [String(index), toBase64(value)]))
}
