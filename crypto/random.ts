/** Uniform integers from the caller's source of random bytes. @module */
import { integerOf } from './bytes.ts'

/** A cryptographic source: n fresh, unpredictable bytes at every call. */
export type RandomBytes = (n: number) => Uint8Array

/** Uniform in [0, 2^bits). */
export function randomInteger(bits: number, randomBytes: RandomBytes): bigint {
  const bytes = Math.ceil(bits / 8)
  return integerOf(randomBytes(bytes)) >> BigInt(bytes * 8 - bits)
}
