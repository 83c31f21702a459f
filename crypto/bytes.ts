/** Non-negative integers as bytes and as Base64 (cryptography note, section 4). Integers are secrets as often as not: no text
 *  of an error here contains one. @module */
import { timingSafeEqual } from 'node:crypto'

/** Number of bits of x >= 0; 0 has none. */
export function bitLength(x: bigint): number {
  if (x < 0n) throw new RangeError('bit length: expected a non-negative integer')
  if (x === 0n) return 0
  const hex = x.toString(16)
  return hex.length * 4 - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28
}

/** Whether x is in [0, 2^most). */
export function fitsBits(x: bigint, most: number): boolean {
  return x >> BigInt(most) === 0n // a negative number stays negative
}

/** Shortest big-endian bytes of x; 0 has none.
 *  @throws {RangeError} if x is negative */
export function bytesOf(x: bigint): Uint8Array {
  if (x < 0n) throw new RangeError('bytes of an integer: expected a non-negative integer')
  if (x === 0n) return new Uint8Array(0)
  const hex = x.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

/** The bytes with zeros in front, so that all of their kind are equally long.
 *  @param what stands in the error, the bytes do not
 *  @throws {RangeError} if there are more than `length` of them */
export function leftPadded(bytes: Uint8Array, length: number, what: string): Uint8Array {
  if (bytes.length > length) throw new RangeError(`${what}: expected at most ${length} bytes, got more`)
  const whole = new Uint8Array(length)
  whole.set(bytes, length - bytes.length)
  return whole
}

/** The integer that big-endian bytes stand for; none stand for 0, zeros in front change nothing. */
export function integerOf(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  return BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`)
}

/** Standard alphabet with padding; 0 is the empty text.
 *  @throws {RangeError} if x is negative */
export function toBase64(x: bigint): string {
  return Buffer.from(bytesOf(x)).toString('base64')
}

/** Reads what `toBase64` writes, and line breaks, zero bytes in front and pad bits that are not zero, which existing apps may send.
 *  @throws {RangeError} for any other character or a wrong padding */
export function fromBase64(text: string): bigint {
  const line = text.replace(/[\r\n]/g, '')
  if (line.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(line))
    throw new RangeError('integer: expected standard Base64 with padding')
  return integerOf(Buffer.from(line, 'base64'))
}

/** Whether two byte strings are the same: in a time that depends on their lengths alone, which are no secret. */
export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
