/** The secrets of a keyshare server and their powers (spec/interface#4.6 rule 1, spec/keyshare-server#8.2): m_k, its half of a user's secret key, and w_k, which
 *  hides m_k in one response. @module */
import type { Arithmetic } from '../bignum/arithmetic.ts'
import { bitLength, fitsBits } from '../bytes.ts'
import type { IssuerPublicKey } from '../public-key.ts'
import { type RandomBytes, randomInteger } from '../random.ts'

/** The length of m_k: one bit less than an attribute, so that the sum of both halves fits an attribute. */
const SECRET_BITS = 255

/** The length of w_k: that of a challenge, that of an attribute, and the bits that hide c*m_k statistically. Keys of 1024 bits allow fewer of the latter. */
const RANDOMIZER_BITS = 256 + 256 + 128
const SHORT_RANDOMIZER_BITS = 256 + 256 + 80
const SHORT_MODULUS_BITS = 1024

/** The secrets behind one response. Both are secret; two responses with the same wk reveal mk. */
export type KeyshareSecrets = { readonly mk: bigint; readonly wk: bigint }

/** m_k of a new account, uniform below 2^255. Secret; the same for all keys. */
export function drawKeyshareSecret(randomBytes: RandomBytes): bigint {
  return randomInteger(SECRET_BITS, randomBytes)
}

export function isKeyshareSecret(mk: bigint): boolean {
  return fitsBits(mk, SECRET_BITS)
}

/** w_k of one request, the same for all of its keys. Secret; usable for one response.
 *  @param keys all keys of the request */
export function drawRandomizer(
  keys: readonly Pick<IssuerPublicKey, 'n'>[],
  randomBytes: RandomBytes,
): bigint {
  const isShort = keys.some(({ n }) => bitLength(n) <= SHORT_MODULUS_BITS)
  return randomInteger(isShort ? SHORT_RANDOMIZER_BITS : RANDOMIZER_BITS, randomBytes)
}

/** P = R_0^m_k mod n, or Pcommit = R_0^w_k mod n; public. The tables of the key are never used, because their time depends on the exponent.
 *  @param secret m_k or w_k
 *  @throws {RangeError} if it is negative, or the key has no R_0 */
export function powerOfSecret(
  { n, R: [R0] }: Pick<IssuerPublicKey, 'n' | 'R'>,
  secret: bigint,
  arithmetic: Pick<Arithmetic, 'secretPower'>,
): bigint {
  if (R0 === undefined) throw new RangeError('public key: expected R_0, got a key without bases')
  return arithmetic.secretPower(R0, secret, n)
}
