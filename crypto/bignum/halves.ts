/** Combines numbers modulo two factors into one number modulo their product. @module */
import type { Halves } from './arithmetic.ts'

/** The number below p q with these remainders modulo p and q.
 *  @param inverseQ 1/q mod p */
export function joinHalves(rests: Halves, { p, q }: Halves, inverseQ: bigint): bigint {
  return rests.q + q * (((rests.p - rests.q + p * q) * inverseQ) % p)
}
