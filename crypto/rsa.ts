/** RSA keys of JWTs. @module */
import type { KeyObject } from 'node:crypto'

/** The shortest modulus that RS256 allows (RFC 7518, 3.3). */
export const LEAST_RSA_BITS = 2048

/** Bits of the modulus; 0: no RSA key. */
export function rsaBits({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): number {
  return asymmetricKeyType === 'rsa' ? (asymmetricKeyDetails?.modulusLength ?? 0) : 0
}
