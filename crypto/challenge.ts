/** The hash behind every challenge (cryptography note, section 3): SHA-256 of the DER of a list of non-negative integers. @module */
import { hash } from 'node:crypto'
import { bytesOf } from './bytes.ts'

const INTEGER = 0x02
const SEQUENCE = 0x30
const TRUE = Uint8Array.of(0x01, 0x01, 0xff)

function header(tag: number, length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(tag, length)
  const size = bytesOf(BigInt(length))
  return Uint8Array.of(tag, 0x80 | size.length, ...size)
}

/** DER of an integer >= 0, in parts: minimal two's complement, so one zero byte in front when the top bit is set. */
function derInteger(x: bigint): readonly Uint8Array[] {
  const magnitude = bytesOf(x)
  const first = magnitude[0] ?? 0x80
  if (first < 0x80) return [header(INTEGER, magnitude.length), magnitude]
  return [header(INTEGER, magnitude.length + 1), Uint8Array.of(0), magnitude]
}

/** Challenge over integers >= 0, in their order; `isSignature` puts a TRUE in front, without it there is no boolean at all.
 *  @returns an integer of at most 256 bits
 *  @throws {RangeError} if one is negative */
export function hashCommit(values: readonly bigint[], isSignature: boolean): bigint {
  const parts = [BigInt(values.length), ...values].flatMap(derInteger)
  const body = Buffer.concat(isSignature ? [TRUE, ...parts] : parts)
  return BigInt(`0x${hash('sha256', Buffer.concat([header(SEQUENCE, body.length), body]), 'hex')}`)
}
