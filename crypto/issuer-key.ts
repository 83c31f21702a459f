/** Makes issuer keys (spec/cryptography#2.3) from two safe primes: the bases, and the numbers for revocation. All numbers except the public key are
 *  secret. @module */
import { createECDH } from 'node:crypto'
import type { Arithmetic, Halves } from './bignum/arithmetic.ts'
import { bytesOf } from './bytes.ts'
import { type IssuerPrivateKey, type IssuerPublicKey, systemParameters } from './public-key.ts'
import { type RandomBytes, randomBelow } from './random.ts'

export type IssuerKeyPair = { readonly publicKey: IssuerPublicKey; readonly privateKey: IssuerPrivateKey }

export type NewKey = {
  /** safe primes with different remainders modulo 8, and a product of 1024, 2048 or 4096 bits */
  readonly factors: Halves
  /** number of bases, including those of secret key and metadata */
  readonly bases: number
  readonly counter: number
  readonly expiresAtSec: number
}

/** The number of points of P-256. */
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const SCALAR_BYTES = 32
/** The DER around a private key of P-256: the bytes before its scalar, and those before its point. */
const SEC1_SCALAR = Buffer.from('30770201010420', 'hex')
const SEC1_POINT = Buffer.from('a00a06082a8648ce3d030107a144034200', 'hex')
/** The start of the DER of every SubjectPublicKeyInfo of P-256 with an uncompressed point. */
export const SPKI_P256 = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex')

/** @throws {RangeError} for a modulus of another length */
export function makeIssuerKey(
  arithmetic: Arithmetic,
  { factors: { p, q }, bases, counter, expiresAtSec }: NewKey,
  randomBytes: RandomBytes,
): IssuerKeyPair {
  const [n, pPrime, qPrime] = [p * q, p / 2n, q / 2n]
  systemParameters(n)
  const S = randomSquare(n, randomBytes)
  /** uniform among the squares: S generates them all */
  const randomPower = (): bigint => {
    const x = 2n + randomBelow(pPrime * qPrime - 2n, randomBytes)
    const power = { base: S, exponent: { p: x % pPrime, q: x % qPrime } }
    return arithmetic.secretProductByFactors([power], { p, q })
  }
  const Z = randomPower()
  const R = Array.from({ length: bases }, randomPower)
  const publicKey = { n, Z, S, R, counter, expiresAtSec }
  const privateKey = { p, q, pPrime, qPrime, counter, expiresAtSec }
  return withRevocation({ publicKey, privateKey }, randomBytes)
}

/** Adds a new key pair for revocation to both keys. */
export function withRevocation(
  { publicKey, privateKey }: IssuerKeyPair,
  randomBytes: RandomBytes,
): IssuerKeyPair {
  const scalar = Buffer.alloc(SCALAR_BYTES)
  const digits = bytesOf(1n + randomBelow(P256_ORDER - 1n, randomBytes))
  scalar.set(digits, SCALAR_BYTES - digits.length)
  const ecdsa = Buffer.concat([SEC1_SCALAR, scalar, SEC1_POINT, pointOf(scalar)]).toString('base64')
  return completeRevocation({ publicKey, privateKey: { ...privateKey, ecdsa } }, randomBytes)
}

/** Completes the public key of a private key that supports revocation. */
export function completeRevocation(
  { publicKey, privateKey }: IssuerKeyPair,
  randomBytes: RandomBytes,
): IssuerKeyPair {
  const der = Buffer.from(privateKey.ecdsa ?? '', 'base64')
  const scalar = der.subarray(SEC1_SCALAR.length, SEC1_SCALAR.length + SCALAR_BYTES)
  const ecdsa = Buffer.concat([SPKI_P256, pointOf(scalar)]).toString('base64')
  const [G, H] = [randomSquare(publicKey.n, randomBytes), randomSquare(publicKey.n, randomBytes)]
  return { publicKey: { ...publicKey, revocation: { G, H, ecdsa } }, privateKey }
}

function pointOf(scalar: Uint8Array): Buffer {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(scalar)
  return ecdh.getPublicKey()
}

/** Uniform. It generates the squares except with negligible probability. */
function randomSquare(n: bigint, randomBytes: RandomBytes): bigint {
  const root = randomBelow(n, randomBytes)
  return (root * root) % n
}
