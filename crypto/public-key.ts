/** Issuer keys as numbers, and the sizes that follow from the length of the modulus (spec/cryptography#1 and #2). Key files are read in `schemes`.
 *  @module */
import { bitLength, fitsBits } from './bytes.ts'

/** Trusted input from a signed scheme, so S, Z and R are not checked to be squares. */
export type IssuerPublicKey = {
  readonly n: bigint
  readonly Z: bigint
  readonly S: bigint
  /** base 0: secret key, base 1: metadata, base i + 2: attribute i of the credential type */
  readonly R: readonly bigint[]
  readonly counter: number
  readonly expiresAtSec: number
  readonly revocation?: {
    readonly G: bigint
    readonly H: bigint
    /** Base64 of the SubjectPublicKeyInfo DER of a P-256 key */
    readonly ecdsa: string
  }
}

/** Secret. p = 2 pPrime + 1, q = 2 qPrime + 1, and p q is the n of the public key with the same counter. */
export type IssuerPrivateKey = {
  readonly p: bigint
  readonly q: bigint
  readonly pPrime: bigint
  readonly qPrime: bigint
  readonly counter: number
  readonly expiresAtSec: number
  /** Base64 of the SEC 1 DER of the P-256 key that signs accumulators */
  readonly ecdsa?: string
}

/** Sizes in bits, named as in the specification. */
export type SystemParameters = {
  readonly Ln: number
  readonly Lm: number
  readonly LePrime: number
  readonly Lh: number
  readonly Lstatzk: number
  readonly Le: number
  readonly LeCommit: number
  readonly LmCommit: number
  readonly LRA: number
  readonly LsCommit: number
  readonly Lv: number
  readonly LvCommit: number
  readonly LvPrime: number
  readonly LvPrimeCommit: number
}

function derive(Ln: number, Lm: number, Lstatzk: number): SystemParameters {
  const Lh = 256
  const LePrime = 120
  const LmCommit = Lm + Lstatzk + Lh
  const Lv = Ln + 2 * Lstatzk + Lh + Lm + 4
  return {
    Ln,
    Lm,
    LePrime,
    Lh,
    Lstatzk,
    Le: Lstatzk + Lh + Lm + 5,
    LeCommit: LePrime + Lstatzk + Lh,
    LmCommit,
    LRA: Ln + Lstatzk,
    LsCommit: LmCommit + 1,
    Lv,
    LvCommit: Lv + Lstatzk + Lh,
    LvPrime: Ln + Lstatzk,
    LvPrimeCommit: Ln + 2 * Lstatzk + Lh,
  }
}

const PARAMETERS: ReadonlyMap<number, SystemParameters> = new Map([
  [1024, derive(1024, 256, 80)],
  [2048, derive(2048, 256, 128)],
  [4096, derive(4096, 512, 128)],
])

/** The most bits that exponents of G and H in a proof of non-revocation may have beyond those of n (spec/cryptography#16 row 7). */
export const REVOCATION_BITS = 580

/** The sizes for a modulus.
 *  @throws {RangeError} unless n has exactly 1024, 2048 or 4096 bits */
export function systemParameters(n: bigint): SystemParameters {
  const bits = bitLength(n)
  const parameters = PARAMETERS.get(bits)
  if (parameters === undefined)
    throw new RangeError(`key length: expected 1024, 2048 or 4096 bits, got ${bits}`)
  return parameters
}

/** The interval of the primes e of signatures: `from` is included, from + 2^bits is not.
 *  @throws {RangeError} as `systemParameters` */
export function signatureExponents(n: bigint): { readonly from: bigint; readonly bits: number } {
  const { Le, LePrime } = systemParameters(n)
  return { from: 2n ** BigInt(Le - 1), bits: LePrime - 1 }
}

/** True if e is in that interval. It is not checked to be a prime. */
export function isSignatureExponent(e: bigint, n: bigint): boolean {
  const { from, bits } = signatureExponents(n)
  return fitsBits(e - from, bits)
}
