/** Roots modulo an issuer's n, which require its factors: for signatures (spec/cryptography#6.1), accumulators and witnesses (14.2, 14.3). The factors
 *  and d are secret. @module */
import type { Arithmetic, Halves } from './bignum/arithmetic.ts'
import type { IssuerPrivateKey } from './public-key.ts'
import { type RandomBytes, randomBelow } from './random.ts'

/** d = 1/e mod p'q', calculated from the inverse of p'q' modulo e: e is public, and the inverted number is blinded.
 *  @throws {RangeError} if there is no inverse */
function inverseOfE(arithmetic: Arithmetic, e: bigint, order: bigint, randomBytes: RandomBytes): bigint {
  const blind = randomBelow(e, randomBytes)
  const inverse = arithmetic.inverse(((order % e) * blind) % e, e)
  if (inverse === undefined) throw new RangeError('e: expected one that has an inverse modulo the order')
  return (1n + (e - ((inverse * blind) % e)) * order) / e
}

/** Makes the exponent of a square even without changing the power, so the power of any base is a square. */
function evenHalves(exponent: bigint, { pPrime, qPrime }: IssuerPrivateKey): Halves {
  const even = (x: bigint, odd: bigint): bigint => x + (x & 1n) * odd
  return { p: even(exponent % pPrime, pPrime), q: even(exponent % qPrime, qPrime) }
}

export type Root = {
  /** from 1 to n - 1 */
  readonly base: bigint
  /** odd */
  readonly e: bigint
  readonly n: bigint
  readonly privateKey: IssuerPrivateKey
}

/** The square A with A^e = Q, where Q is `base`, and d. The time is the same for all secrets of one length.
 *  @throws {RangeError} if e has no inverse, or the private key belongs to another n
 *  @throws {Error} if `base` is no square modulo n, or the calculation failed its check: a wrong root can reveal the factors */
export function rootOf(
  arithmetic: Arithmetic,
  { base, e, n, privateKey }: Root,
  randomBytes: RandomBytes,
): { readonly root: bigint; readonly d: bigint } {
  const { p, q, pPrime, qPrime } = privateKey
  if (p * q !== n) throw new RangeError('private key: expected p q = n')
  const power = (of: bigint, exponent: Halves): bigint =>
    arithmetic.secretProductByFactors([{ base: of, exponent }], { p, q })
  const d = inverseOfE(arithmetic, e, pPrime * qPrime, randomBytes)
  const root = power(base, evenHalves(d, privateKey))
  // the root is a square, so equality also proves that `base` is one
  if (power(root, { p: e % pPrime, q: e % qPrime }) !== base) throw new Error('root: expected A^e = Q')
  return { root, d }
}
