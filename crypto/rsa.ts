/** RSA keys of JWTs. @module */
import type { KeyObject } from 'node:crypto'

/** The shortest modulus allowed for RS256 (RFC 7518, 3.3). */
export const LEAST_RSA_BITS = 2048

/** Bits of the modulus; 0 for a key that is not RSA. */
export function rsaBits({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): number {
  return asymmetricKeyType === 'rsa' ? (asymmetricKeyDetails?.modulusLength ?? 0) : 0
}
