/** CL signatures on attributes (spec/cryptography#6.1 and #6.2): their form, and how a wallet checks one. issuance.ts makes them. @module */
import { attributeExponent } from './attribute.ts'
import type { Arithmetic, BasePowers } from './bignum/arithmetic.ts'
import { bitLength } from './bytes.ts'
import { secretProduct } from './draft.ts'
import { isProbablePrime } from './prime.ts'
import { type IssuerPublicKey, isSignatureExponent, systemParameters } from './public-key.ts'

/** (A, e, v) on m_0 (secret key), m_1 (metadata), ...: Z = A^e S^v prod R_i^exp(m_i) mod n. A secret of its owner: with it and the secret key anyone can
 *  disclose. */
export type ClSignature = { readonly A: bigint; readonly e: bigint; readonly v: bigint }

/** The right side of Z = A^e S^v prod R_i^m_i (spec/cryptography#6), with m_i as `attributeExponent` returns them. A disclosure proves the same equation about its
 *  own A. */
export function signatureEquation(
  A: bigint,
  e: bigint,
  v: bigint,
  m: ReadonlyMap<number, bigint>,
): BasePowers {
  return { S: v, R: m, others: [{ base: A, exponent: e }] }
}

/** True if a signature is valid for these values. A wallet checks this before it keeps a credential.
 *  @param values m_0 (secret key), m_1 (metadata), ... as they are: long values are not hashed yet
 *  @param P R_0^m_k, if m_0 is the wallet's half of a secret key and m_k that of a keyshare server
 *  @throws {RangeError} for more values than the key has bases */
export function verifySignature(
  arithmetic: Arithmetic,
  key: IssuerPublicKey,
  { A, e, v }: ClSignature,
  values: readonly bigint[],
  P = 1n,
): boolean {
  const { n, Z } = key
  const { Lm, LvCommit } = systemParameters(n)
  if (A <= 0n || A >= n || !isSignatureExponent(e, n)) return false
  if (bitLength(v < 0n ? -v : v) > LvCommit || values.some(value => value < 0n)) return false
  const S = v < 0n ? arithmetic.inverse(key.S, n) : key.S
  if (S === undefined) return false
  const m = new Map(values.map((value, index) => [index, attributeExponent(value, Lm)]))
  const powers = signatureEquation(A, e, v < 0n ? -v : v, m)
  return (secretProduct(arithmetic, { ...key, S }, powers) * P) % n === Z && isProbablePrime(arithmetic, e)
}
