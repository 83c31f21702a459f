/** CL signatures on attributes (cryptography note, sections 6.1 and 6.2): making one for a secret key that the signer knows, which
 *  only demo wallets want, and checking one as a wallet does. @module */
import { attributeExponent } from './attribute.ts'
import type { Arithmetic } from './bignum/arithmetic.ts'
import { bitLength } from './bytes.ts'
import { isProbablePrime, randomPrime } from './prime.ts'
import { type IssuerPrivateKey, type IssuerPublicKey, systemParameters } from './public-key.ts'
import { type RandomBytes, randomInteger } from './random.ts'

/** (A, e, v) on m_0 (secret key), m_1 (metadata), ...: Z = A^e S^v prod R_i^exp(m_i) mod n. The owner's secret: who has it, and
 *  the secret key, can disclose. */
export type ClSignature = { readonly A: bigint; readonly e: bigint; readonly v: bigint }

export type AttributesToSign = {
  readonly key: IssuerPublicKey
  readonly privateKey: IssuerPrivateKey
  /** the whole m_0 */
  readonly secretKey: bigint
  /** from base index 1 on: metadata first */
  readonly attributes: readonly bigint[]
}

/** S^v prod R_i^exp(m_i) mod n, constant time: m_0 and the values of attributes are secrets. v may be negative. */
function signedProduct(
  arithmetic: Arithmetic,
  key: IssuerPublicKey,
  v: bigint,
  values: readonly bigint[],
): bigint | undefined {
  const { Lm } = systemParameters(key.n)
  const S = v < 0n ? arithmetic.inverse(key.S, key.n) : key.S
  if (S === undefined) return undefined
  let product = arithmetic.secretPower(S, v < 0n ? -v : v, key.n)
  for (const [i, value] of values.entries()) {
    const base = key.R[i]
    if (base === undefined)
      throw new RangeError(`attributes: expected at most ${key.R.length - 1}, got ${values.length - 1}`)
    product = (product * arithmetic.secretPower(base, attributeExponent(value, Lm), key.n)) % key.n
  }
  return product
}

/** Q^(1/e) mod n, in constant time, by the factors of n; Q is a square.
 *  @throws {Error} if the result is not right: a wrong one would give the factors away */
function root(arithmetic: Arithmetic, Q: bigint, e: bigint, privateKey: IssuerPrivateKey): bigint {
  const { p, q, pPrime, qPrime } = privateKey
  const exponent = {
    p: arithmetic.secretInverse(e % pPrime, pPrime),
    q: arithmetic.secretInverse(e % qPrime, qPrime),
  }
  if (exponent.p === undefined || exponent.q === undefined)
    throw new RangeError('issuer key: e has no inverse')
  const A = arithmetic.secretPowerByFactors(Q, { p: exponent.p, q: exponent.q }, { p, q })
  if (arithmetic.power(A, e, p * q) !== Q) throw new Error('signature: expected A^e = Q')
  return A
}

/** Sign attributes together with a secret key that the signer knows.
 *  @throws {RangeError} if the keys do not belong together, or for more attributes than the key has bases */
export function signAttributes(
  arithmetic: Arithmetic,
  { key, privateKey, secretKey, attributes }: AttributesToSign,
  randomBytes: RandomBytes,
): ClSignature {
  const { n } = key
  const { Le, LePrime, Lv } = systemParameters(n)
  if (privateKey.p * privateKey.q !== n) throw new RangeError('private key: expected p q = n')
  const v = 2n ** BigInt(Lv - 1) + randomInteger(Lv - 1, randomBytes)
  const e = randomPrime(arithmetic, { from: 2n ** BigInt(Le - 1), bits: LePrime - 1 }, randomBytes)
  const product = signedProduct(arithmetic, key, v, [secretKey, ...attributes])
  const inverse = product === undefined ? undefined : arithmetic.inverse(product, n)
  if (inverse === undefined)
    throw new RangeError('issuer key: expected bases without a common divisor with n')
  return { A: root(arithmetic, (key.Z * inverse) % n, e, privateKey), e, v }
}

/** Whether a signature is right for these values: what a wallet checks before it keeps a credential.
 *  @param values m_0 (secret key), m_1 (metadata), ... as they are, long ones not yet hashed
 *  @throws {RangeError} for more values than the key has bases */
export function verifySignature(
  arithmetic: Arithmetic,
  key: IssuerPublicKey,
  { A, e, v }: ClSignature,
  values: readonly bigint[],
): boolean {
  const { n, Z } = key
  const { Le, LePrime, LvCommit } = systemParameters(n)
  const first = 2n ** BigInt(Le - 1)
  if (A <= 0n || A >= n || e < first || e > first + 2n ** BigInt(LePrime - 1)) return false
  if (bitLength(v < 0n ? -v : v) > LvCommit || values.some(value => value < 0n)) return false
  const product = signedProduct(arithmetic, key, v, values)
  if (product === undefined || (arithmetic.power(A, e, n) * product) % n !== Z) return false
  return isProbablePrime(arithmetic, e)
}
