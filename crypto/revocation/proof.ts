/** Proofs of non-revocation (spec/cryptography#14.5): they prove that the revocation attribute of a disclosure has a root in an accumulator, and
 *  reveal neither. They are part of a disclosure and share its challenge. @module */
import type { Arithmetic, BasePowers } from '../bignum/arithmetic.ts'
import { fitsBits } from '../bytes.ts'
import { type HiddenExponent, respond, secretProduct } from '../draft.ts'
import { type IssuerPublicKey, REVOCATION_BITS, systemParameters } from '../public-key.ts'
import { type RandomBytes, randomBelow } from '../random.ts'
import { openAccumulator, type SignedAccumulator } from './accumulator.ts'
import { RevocationDataError } from './error.ts'
import type { Witness } from './witness.ts'

/** A proof as received. Its alpha is the response of the revocation attribute in the disclosure. */
export type NonRevocationProof = {
  readonly Cr: bigint
  readonly Cu: bigint
  readonly beta: bigint
  readonly delta: bigint
  readonly epsilon: bigint
  readonly zeta: bigint
  readonly signed: SignedAccumulator
}

export type NonRevocationToVerify = {
  readonly proof: NonRevocationProof
  readonly alpha: bigint
  /** at most 256 bits */
  readonly c: bigint
  readonly key: IssuerPublicKey
}

/** The bits of the revocation attribute's randomizer when non-revocation is proved. */
export const ALPHA_RANDOMIZER_BITS = 579
/** The most bits of epsilon and zeta beyond those of n. */
const SHORT_BITS = 385
/** How much larger a randomizer is than the value it hides: by the challenge, and by 128 bits. */
const BLINDING = 2n ** 384n
/** The bound of e in randomizers. */
const E_BOUND = 2n ** 195n

/** Checks the sizes. They bound the work, and e, whose response is alpha. C_u may be an unreduced product of two numbers modulo n: a wallet app sends it to
 *  move an early commitment to a new accumulator. */
export function isNonRevocationProper({ proof, alpha, key }: Omit<NonRevocationToVerify, 'c'>): boolean {
  const { n } = key
  const { Ln } = systemParameters(n)
  const { Cr, Cu, beta, delta, epsilon, zeta } = proof
  return (
    Cr > 0n &&
    Cr < n &&
    Cu > 0n &&
    Cu < n * n &&
    Cu % n !== 0n &&
    [beta, delta].every(each => fitsBits(each, Ln + REVOCATION_BITS)) &&
    [epsilon, zeta].every(each => fitsBits(each, Ln + SHORT_BITS)) &&
    fitsBits(alpha, ALPHA_RANDOMIZER_BITS + 1)
  )
}

type Statement = Readonly<Record<'Cr' | 'Cu' | 'nu' | 'n', bigint>>
type Exponents = Readonly<Record<'beta' | 'delta' | 'epsilon' | 'zeta', bigint>>

/** C_r, C_u as sent, nu, and the commitments of the statement (spec/cryptography#14.5), C_r = G^epsilon H^zeta, nu = C_u^alpha H^-beta and 1 = C_r^alpha G^-beta
 *  H^-delta. The inverses of the last two equations are calculated first, so that no exponent is negative.
 *  @param evaluate gives the commitment of one equation, from its right side and the inverse of its left side
 *  @returns undefined if a number has no inverse */
function contributionOf(
  arithmetic: Arithmetic,
  { Cr, Cu, nu, n }: Statement,
  { alpha, beta, delta, epsilon, zeta }: Exponents & { readonly alpha: bigint },
  evaluate: (right: BasePowers, inverseOfLeft?: bigint) => bigint,
): readonly bigint[] | undefined {
  const inverses = inversesOf(arithmetic, Cr, Cu, n)
  if (inverses === undefined) return undefined
  const [inverseCr, inverseCu] = inverses
  const first = evaluate({ G: epsilon, H: zeta }, inverseCr)
  const second = evaluate({ H: beta, others: [{ base: inverseCu, exponent: alpha }] }, nu)
  const third = evaluate({ G: beta, H: delta, others: [{ base: inverseCr, exponent: alpha }] })
  const last = inversesOf(arithmetic, second, third, n)
  return last && [Cr, Cu, nu, first, ...last]
}

/** The numbers that a proof of non-revocation adds to the challenge. Its responses are the exponents.
 *  @param each a proper proof
 *  @returns undefined for an invalid proof: the issuer did not sign the accumulator for this key, or a number has no inverse */
export function contributionOfNonRevocation(
  arithmetic: Arithmetic,
  { proof, alpha, c, key }: NonRevocationToVerify,
): readonly bigint[] | undefined {
  const nu = signedNumber(proof.signed, key)
  if (nu === undefined) return undefined
  return contributionOf(arithmetic, { ...proof, nu, n: key.n }, { ...proof, alpha }, (right, base) => {
    if (base === undefined) return arithmetic.keyProduct(key, right)
    return arithmetic.keyProduct(key, { ...right, others: [...(right.others ?? []), { base, exponent: c }] })
  })
}

function signedNumber(signed: SignedAccumulator, key: IssuerPublicKey): bigint | undefined {
  try {
    return openAccumulator(signed, key).nu
  } catch (error) {
    if (error instanceof RevocationDataError) return undefined
    throw error
  }
}

/** Calculates two inverses with one inversion. The numbers may be larger than n. */
function inversesOf(
  arithmetic: Arithmetic,
  a: bigint,
  b: bigint,
  n: bigint,
): readonly [bigint, bigint] | undefined {
  const inverse = arithmetic.inverse((a * b) % n, n)
  return inverse === undefined ? undefined : [(inverse * b) % n, (inverse * a) % n]
}

type NonRevocationDraft = {
  readonly contribution: readonly bigint[]
  readonly respond: (c: bigint) => NonRevocationProof
}

/** First half of the prover's steps. Every exponent is secret.
 *  @param witness a valid one, of an unrevoked credential
 *  @param alpha e with its randomizer in the disclosure
 *  @throws {RangeError} for a key that does not support revocation
 *  @throws {RevocationDataError} for an accumulator of another key */
export function draftNonRevocation(
  arithmetic: Arithmetic,
  {
    witness,
    alpha,
    key,
  }: { readonly witness: Witness; readonly alpha: HiddenExponent; readonly key: IssuerPublicKey },
  randomBytes: RandomBytes,
): NonRevocationDraft {
  const { n } = key
  const quarter = n / 4n
  const hidden = (value: bigint, bound: bigint): HiddenExponent => ({
    value,
    randomizer: randomBelow(quarter * BLINDING * bound, randomBytes),
  })
  const epsilon = hidden(randomBelow(quarter, randomBytes), 1n)
  const zeta = hidden(randomBelow(quarter, randomBytes), 1n)
  const beta = hidden(witness.e * epsilon.value, E_BOUND)
  const delta = hidden(witness.e * zeta.value, E_BOUND)
  const product = (powers: BasePowers): bigint => secretProduct(arithmetic, key, powers)
  const Cr = product({ G: epsilon.value, H: zeta.value })
  const Cu = (witness.u * product({ H: epsilon.value })) % n
  const { nu } = openAccumulator(witness.signed, key)
  const exponents = (of: (hidden: HiddenExponent) => bigint): Exponents => ({
    beta: of(beta),
    delta: of(delta),
    epsilon: of(epsilon),
    zeta: of(zeta),
  })
  const randomizers = { ...exponents(({ randomizer }) => randomizer), alpha: alpha.randomizer }
  const contribution = contributionOf(arithmetic, { Cr, Cu, nu, n }, randomizers, product)
  if (contribution === undefined) throw new RangeError('key: expected G and H that have inverses modulo n')
  return {
    contribution,
    respond: c => ({ Cr, Cu, ...exponents(hidden => respond(hidden, c)), signed: witness.signed }),
  }
}
