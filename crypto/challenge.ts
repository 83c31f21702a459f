/** The hash of every challenge (spec/cryptography#3): SHA-256 of the DER of a list of non-negative integers. @module */
import { hash } from 'node:crypto'
import { DER_TRUE, derInteger, derSequence } from './der.ts'

/** The bits of SHA-256, and so the most bits of a challenge or of the hash of a value. */
export const HASH_BITS = 256

/** Challenge over integers >= 0, in their order. With `isSignature` a TRUE is put first; without it there is no boolean.
 *  @returns an integer of at most 256 bits
 *  @throws {RangeError} if an integer is negative */
export function hashCommit(values: readonly bigint[], isSignature: boolean): bigint {
  const integers = [BigInt(values.length), ...values].map(derInteger)
  const der = derSequence(isSignature ? [DER_TRUE, ...integers] : integers)
  return BigInt(`0x${hash('sha256', Buffer.concat(der), 'hex')}`)
}
