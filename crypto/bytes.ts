/** Non-negative integers as bytes and as Base64 (spec/cryptography#4). Integers are often secret, so no error text here contains one. @module */
import { timingSafeEqual } from 'node:crypto'

/** Number of bits of x >= 0; 0 for x = 0. */
export function bitLength(x: bigint): number {
  if (x < 0n) throw new RangeError('bit length: expected a non-negative integer')
  if (x === 0n) return 0
  const hex = x.toString(16)
  return hex.length * 4 - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28
}

/** True if x is in [0, 2^most). */
export function fitsBits(x: bigint, most: number): boolean {
  return x >> BigInt(most) === 0n // a negative number stays negative
}

/** Shortest big-endian bytes of x; empty for 0.
 *  @throws {RangeError} if x is negative */
export function bytesOf(x: bigint): Uint8Array {
  if (x < 0n) throw new RangeError('bytes of an integer: expected a non-negative integer')
  if (x === 0n) return new Uint8Array(0)
  const hex = x.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

/** Pads the bytes with leading zeros to a fixed length.
 *  @param what name of the bytes in the error; the bytes themselves are not in it
 *  @throws {RangeError} if there are more than `length` bytes */
export function leftPadded(bytes: Uint8Array, length: number, what: string): Uint8Array {
  if (bytes.length > length) throw new RangeError(`${what}: expected at most ${length} bytes, got more`)
  const whole = new Uint8Array(length)
  whole.set(bytes, length - bytes.length)
  return whole
}

/** The integer of big-endian bytes; 0 for no bytes. Leading zeros change nothing. */
export function integerOf(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  return BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`)
}

/** Standard alphabet with padding; the empty text for 0.
 *  @throws {RangeError} if x is negative */
export function toBase64(x: bigint): string {
  return Buffer.from(bytesOf(x)).toString('base64')
}

/** Reads the output of `toBase64`. Also accepts line breaks, leading zero bytes and non-zero pad bits, which existing apps may send.
 *  @throws {RangeError} for any other character or a wrong padding */
export function fromBase64(text: string): bigint {
  const line = text.replace(/[\r\n]/g, '')
  if (line.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(line))
    throw new RangeError('integer: expected standard Base64 with padding')
  return integerOf(Buffer.from(line, 'base64'))
}

/** True if two byte strings are equal. The time depends only on their lengths, which are public. */
export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
