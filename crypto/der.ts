/** The DER encodings that are hashed (spec/cryptography#3 and #8). Each is a list of byte strings, which are joined once at the end. @module */
import { bytesOf } from './bytes.ts'

export type Der = readonly Uint8Array[]

const INTEGER = 0x02
const OCTET_STRING = 0x04
const SEQUENCE = 0x30

export const DER_TRUE: Der = [Uint8Array.of(0x01, 0x01, 0xff)]

function header(tag: number, length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(tag, length)
  const size = bytesOf(BigInt(length))
  return Uint8Array.of(tag, 0x80 | size.length, ...size)
}

/** Minimal two's complement: one leading zero byte if the top bit is set.
 *  @throws {RangeError} if x is negative */
export function derInteger(x: bigint): Der {
  const magnitude = bytesOf(x)
  const first = magnitude[0] ?? 0x80
  if (first < 0x80) return [header(INTEGER, magnitude.length), magnitude]
  return [header(INTEGER, magnitude.length + 1), Uint8Array.of(0), magnitude]
}

export function derOctetString(bytes: Uint8Array): Der {
  return [header(OCTET_STRING, bytes.length), bytes]
}

export function derSequence(parts: readonly Der[]): Der {
  const body = parts.flat()
  const length = body.reduce((sum, { length }) => sum + length, 0)
  return [header(SEQUENCE, length), ...body]
}
