/** Issuing a credential over a wallet's commitment (spec/cryptography#6.1, #6.3 and #9): the issuer's signature and the proof of its correctness
 *  (ProofS). The wallet checks and completes it here as well. The issuer's factors, d, r, v'' and the values of attributes are secret. @module */
import { attributeExponent } from './attribute.ts'
import type { Arithmetic, Halves, PowerByFactors } from './bignum/arithmetic.ts'
import { fitsBits } from './bytes.ts'
import { HASH_BITS, hashCommit } from './challenge.ts'
import type { CommitmentSecrets } from './commitment.ts'
import { METADATA } from './disclosure.ts'
import { randomPrime } from './prime.ts'
import {
  type IssuerPrivateKey,
  type IssuerPublicKey,
  isSignatureExponent,
  signatureExponents,
  systemParameters,
} from './public-key.ts'
import { type RandomBytes, randomBelow, randomInteger } from './random.ts'
import { rootOf } from './roots.ts'
import type { ClSignature } from './signature.ts'

/** ProofS. */
export type CorrectnessProof = { readonly c: bigint; readonly eResponse: bigint }

export type CredentialToSign = {
  readonly key: IssuerPublicKey
  readonly privateKey: IssuerPrivateKey
  /** including the keyshare server's part */
  readonly U: bigint
  /** from base index 1: metadata first; for random blind attributes the issuer's share */
  readonly attributes: readonly bigint[]
  readonly context: bigint
  readonly n2: bigint
}

export type IssuedSignature = {
  /** with v'' as its v */
  readonly signature: ClSignature
  readonly proof: CorrectnessProof
}

/** A fresh e for a key of the length of n. It must not be used twice. */
export function findSignaturePrime(arithmetic: Arithmetic, n: bigint, randomBytes: RandomBytes): bigint {
  return randomPrime(arithmetic, signatureExponents(n), randomBytes)
}

/** Q = Z / (U S^v prod R_i^exp(m_i)) mod n. The exponents are secret. Q is not: the wallet gets A and e, and A^e is Q. S and R_i are squares, so their
 *  exponents count modulo p' and q'.
 *  @throws {RangeError} for more attributes than bases, or numbers without an inverse
 *  @throws {Error} if the calculation failed its check */
function numberToSign(
  arithmetic: Arithmetic,
  { key, privateKey, U, attributes }: CredentialToSign,
  v: bigint,
): bigint {
  const { n, Z, S, R } = key
  const { Lm } = systemParameters(n)
  if (attributes.length >= R.length)
    throw new RangeError(`attributes: expected at most ${R.length - 1}, got ${attributes.length}`)
  const powers = (isFixed: boolean): PowerByFactors[] => [
    { base: S, exponent: halves(v, privateKey), isFixed },
    ...attributes.map((attribute, i) => {
      const exponent = attributeExponent(attribute, Lm)
      return { base: R[METADATA + i] ?? 0n, exponent: { p: exponent, q: exponent }, isFixed }
    }),
  ]
  const product = arithmetic.secretProductByFactors(powers(false), privateKey)
  // calculated twice, once without the cached numbers of the bases: a Q that is wrong modulo one factor only would reveal that factor to the wallet, which
  // knows the correct Q
  if (arithmetic.secretProductByFactors(powers(true), privateKey) !== product)
    throw new Error('signature: expected the same product twice')
  const inverse = arithmetic.inverse((U * product) % n, n)
  if (inverse === undefined) throw new RangeError('commitment: expected one without a common divisor with n')
  return (Z * inverse) % n
}

/** The exponent of a square, modulo p' and q'. */
function halves(exponent: bigint, { pPrime, qPrime }: IssuerPrivateKey): Halves {
  return { p: exponent % pPrime, q: exponent % qPrime }
}

/** Signs the attributes and the secret key that U hides, and proves it (spec/cryptography#6.1, #6.3). The time is the same for all secrets of one length.
 *  @param e from `findSignaturePrime`, used for this signature only
 *  @throws {RangeError} if the keys do not belong together, for more attributes than bases, or numbers out of range
 *  @throws {Error} if U is no square modulo n (a wallet's U always is one), or if the calculation failed its check. Nothing is signed then, because a wrong A
 *  can reveal the factors. */
export function signCommitment(
  arithmetic: Arithmetic,
  toSign: CredentialToSign,
  e: bigint,
  randomBytes: RandomBytes,
): IssuedSignature {
  const { key, privateKey, U, context, n2 } = toSign
  const { n } = key
  const { Lv } = systemParameters(n)
  const { pPrime, qPrime } = privateKey
  if (U <= 0n || U >= n) throw new RangeError('commitment: expected one from 1 to n - 1')
  if (!isSignatureExponent(e, n)) throw new RangeError('e: expected one of the size that goes with the key')
  const order = pPrime * qPrime
  const v = 2n ** BigInt(Lv - 1) + randomInteger(Lv - 1, randomBytes) // v'' of spec/cryptography#6.1
  const Q = numberToSign(arithmetic, toSign, v)
  const { root: A, d } = rootOf(arithmetic, { base: Q, e, n, privateKey }, randomBytes)
  const r = randomUnit(privateKey, randomBytes) // spec/cryptography#6.3 from here
  const power = { base: Q, exponent: halves(r, privateKey) }
  const commitment = arithmetic.secretProductByFactors([power], privateKey)
  const c = hashCommit([context, Q, A, n2, commitment], false)
  const eResponse = (((r - c * d) % order) + order) % order
  return { signature: { A, e, v }, proof: { c, eResponse } }
}

/** Uniform in Z*_{p'q'}. */
function randomUnit({ pPrime, qPrime }: IssuerPrivateKey, randomBytes: RandomBytes): bigint {
  for (;;) {
    const r = randomBelow(pPrime * qPrime, randomBytes)
    if (r % pPrime !== 0n && r % qPrime !== 0n) return r
  }
}

export type SignatureToCheck = {
  readonly key: IssuerPublicKey
  /** as the issuer sent it */
  readonly signature: ClSignature
  readonly proof: CorrectnessProof
  readonly context: bigint
  readonly n2: bigint
}

/** True if the issuer made the signature for this nonce. A wallet checks this before it completes the signature.
 *  @param input as received, no number checked; the key is trusted */
export function verifyCorrectness(arithmetic: Arithmetic, input: SignatureToCheck): boolean {
  const { key, signature, proof, context, n2 } = input
  const { A, e } = signature
  const { n } = key
  const { c, eResponse } = proof
  if (A <= 0n || A >= n || !isSignatureExponent(e, n)) return false
  if (!fitsBits(c, HASH_BITS) || eResponse < 0n || eResponse >= n || context < 0n || n2 < 0n) return false
  const Q = arithmetic.power(A, e, n)
  return hashCommit([context, Q, A, n2, arithmetic.power(A, c + eResponse * e, n)], false) === c
}

/** The wallet's signature: v = v'' + v'. `verifySignature` checks it.
 *  @param secrets of the commitment that was signed */
export function completeSignature(issued: ClSignature, { vPrime }: CommitmentSecrets): ClSignature {
  return { ...issued, v: issued.v + vPrime }
}
