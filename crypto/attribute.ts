/** Attributes as integers (spec/cryptography#5.1 and #5.2): texts, and random blind values in base 62. @module */
import { hash } from 'node:crypto'
import { bitLength, bytesOf, integerOf } from './bytes.ts'

/** The first metadata version whose attributes carry a presence bit. */
export const PRESENCE_BIT_FROM = 3
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Encodes a text, or the absence of one. Leading NUL characters are lost: they become leading zero bytes of an integer.
 *  @param metadataVersion of the credential; 3 is issued today
 *  @throws {RangeError} for null in version 2, which cannot encode it */
export function encodeAttribute(value: string | null, metadataVersion = PRESENCE_BIT_FROM): bigint {
  const hasPresenceBit = metadataVersion >= PRESENCE_BIT_FROM
  if (value === null) {
    if (hasPresenceBit) return 0n
    throw new RangeError(`attribute: expected a text in metadata version ${metadataVersion}, got null`)
  }
  const text = integerOf(Buffer.from(value, 'utf8'))
  return hasPresenceBit ? 2n * text + 1n : text
}

/** The bytes of an attribute's text, or null if the attribute is absent. They are not checked to be UTF-8: requested values are compared with these bytes. */
export function decodeAttribute(a: bigint, metadataVersion: number): Uint8Array | null {
  if (metadataVersion < PRESENCE_BIT_FROM) return bytesOf(a)
  return a % 2n === 0n ? null : bytesOf(a >> 1n)
}

/** Text of a random blind attribute: base 62, most significant digit first; empty for 0. It has no presence bit. */
export function decodeRandomBlind(a: bigint): string {
  let text = ''
  for (let rest = a; rest > 0n; rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text
  return text
}

/** True if the exponent of attribute a is its hash, because a has more than Lm bits (Lm of the signing key). */
export function isHashed(a: bigint, Lm: number): boolean {
  return bitLength(a) > Lm
}

/** The exponent of attribute a: a itself, or its hash if a is too long. */
export function attributeExponent(a: bigint, Lm: number): bigint {
  if (!isHashed(a, Lm)) return a
  return BigInt(`0x${hash('sha256', bytesOf(a), 'hex')}`)
}
