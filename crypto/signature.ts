/** CL signatures on attributes (cryptography note, sections 6.1 and 6.2): what they are, and checking one as a wallet does. Making
 *  them is in issuance.ts. @module */
import { attributeExponent } from './attribute.ts'
import type { Arithmetic } from './bignum/arithmetic.ts'
import { bitLength } from './bytes.ts'
import { isProbablePrime } from './prime.ts'
import { type IssuerPublicKey, isSignatureExponent, systemParameters } from './public-key.ts'

/** (A, e, v) on m_0 (secret key), m_1 (metadata), ...: Z = A^e S^v prod R_i^exp(m_i) mod n. The owner's secret: who has it, and
 *  the secret key, can disclose. */
export type ClSignature = { readonly A: bigint; readonly e: bigint; readonly v: bigint }

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
  const { LvCommit } = systemParameters(n)
  if (A <= 0n || A >= n || !isSignatureExponent(e, n)) return false
  if (bitLength(v < 0n ? -v : v) > LvCommit || values.some(value => value < 0n)) return false
  const product = signedProduct(arithmetic, key, v, values)
  if (product === undefined || (arithmetic.power(A, e, n) * product) % n !== Z) return false
  return isProbablePrime(arithmetic, e)
}
