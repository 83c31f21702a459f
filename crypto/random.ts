/** Uniform integers from the caller's source of random bytes. @module */
import { bitLength, integerOf } from './bytes.ts'

/** A cryptographic source: n fresh, unpredictable bytes per call. */
export type RandomBytes = (n: number) => Uint8Array

/** Uniform in [0, 2^bits). */
export function randomInteger(bits: number, randomBytes: RandomBytes): bigint {
  const bytes = Math.ceil(bits / 8)
  return integerOf(randomBytes(bytes)) >> BigInt(bytes * 8 - bits)
}

/** Uniform in [0, bound), by rejection. */
export function randomBelow(bound: bigint, randomBytes: RandomBytes): bigint {
  const bits = bitLength(bound - 1n)
  for (;;) {
    const x = randomInteger(bits, randomBytes)
    if (x < bound) return x
  }
}
