/** Proofs of non-revocation (cryptography note, section 14.5): that the revocation attribute of a disclosure has a root in an accumulator,
 *  without telling either. They are part of a disclosure and share its challenge. @module */
import type { Arithmetic, Power } from '../bignum/arithmetic.ts'
import { fitsBits } from '../bytes.ts'
import { type Hidden, respond } from '../draft.ts'
import { type IssuerPublicKey, REVOCATION_BITS, systemParameters } from '../public-key.ts'
import { type RandomBytes, randomBelow } from '../random.ts'
import { openAccumulator, type SignedAccumulator } from './accumulator.ts'
import { RevocationDataError } from './error.ts'
import type { Witness } from './witness.ts'

/** One as it came in. Its alpha is the response of the revocation attribute in the disclosure. */
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

/** Of the randomizer of the revocation attribute, when non-revocation is proved. */
export const ALPHA_RANDOMIZER_BITS = 579
/** Of epsilon and zeta, more than n has. */
const SHORT_BITS = 385
/** Randomizers are that much longer than what they hide: the challenge, and 128 bits. */
const BLINDING = 2n ** 384n
/** Bound of e in randomizers. */
const E_BOUND = 2n ** 195n

/** Sizes: they bound the work, and e, whose response alpha is. C_u may come as the product of two numbers modulo n that nobody reduced: so a
 *  wallet app carries a commitment that it made early over to a new accumulator. */
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

/** What a proof of non-revocation adds to the challenge: C_r, C_u as it was sent, nu, then
 *  C_r^-c G^epsilon H^zeta, nu^-c C_u^alpha H^-beta, C_r^alpha G^-beta H^-delta; of the last two the inverses are calculated first.
 *  @param each a proper one
 *  @returns undefined if the issuer did not sign the accumulator for this key, or a number has no inverse: it is not valid then */
export function contributionOfNonRevocation(
  arithmetic: Arithmetic,
  { proof, alpha, c, key }: NonRevocationToVerify,
): readonly bigint[] | undefined {
  const { Cr, Cu, beta, delta, epsilon, zeta, signed } = proof
  const nu = signedNumber(signed, key)
  const inverses = inversesOf(arithmetic, Cr, Cu, key.n)
  if (nu === undefined || inverses === undefined) return undefined
  const [inverseCr, inverseCu] = inverses
  const product = (G: bigint, H: bigint, ...others: readonly Power[]): bigint =>
    arithmetic.keyProduct(key, { G, H, others })
  const first = product(epsilon, zeta, { base: inverseCr, exponent: c })
  const second = product(0n, beta, { base: nu, exponent: c }, { base: inverseCu, exponent: alpha })
  const third = product(beta, delta, { base: inverseCr, exponent: alpha })
  const last = inversesOf(arithmetic, second, third, key.n)
  return last && [Cr, Cu, nu, first, ...last]
}

function signedNumber(signed: SignedAccumulator, key: IssuerPublicKey): bigint | undefined {
  try {
    return openAccumulator(signed, key).nu
  } catch (error) {
    if (error instanceof RevocationDataError) return undefined
    throw error
  }
}

/** Two inversions for the price of one; the numbers may be larger than n. */
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

/** First half of the prover's steps; every exponent is secret.
 *  @param witness a right one, of a credential that is not revoked
 *  @param alpha e with the randomizer that the disclosure has for it
 *  @throws {RangeError} for a key that does not support revocation
 *  @throws {RevocationDataError} for an accumulator of another key */
export function draftNonRevocation(
  arithmetic: Arithmetic,
  {
    witness,
    alpha,
    key,
  }: { readonly witness: Witness; readonly alpha: Hidden; readonly key: IssuerPublicKey },
  randomBytes: RandomBytes,
): NonRevocationDraft {
  const { n, revocation } = key
  if (revocation === undefined) throw new RangeError('key: expected one that supports revocation')
  const { G, H } = revocation
  const inverses = inversesOf(arithmetic, G, H, n)
  if (inverses === undefined) throw new RangeError('key: expected G and H that have inverses modulo n')
  const [inverseG, inverseH] = inverses
  const quarter = n / 4n
  const hidden = (value: bigint, bound: bigint): Hidden => ({
    value,
    randomizer: randomBelow(quarter * BLINDING * bound, randomBytes),
  })
  const epsilon = hidden(randomBelow(quarter, randomBytes), 1n)
  const zeta = hidden(randomBelow(quarter, randomBytes), 1n)
  const beta = hidden(witness.e * epsilon.value, E_BOUND)
  const delta = hidden(witness.e * zeta.value, E_BOUND)
  const product = (...powers: readonly (readonly [base: bigint, exponent: bigint])[]): bigint =>
    powers.reduce((all, [base, exponent]) => (all * arithmetic.secretPower(base, exponent, n)) % n, 1n)
  const Cr = product([G, epsilon.value], [H, zeta.value])
  const Cu = (witness.u * product([H, epsilon.value])) % n
  const contribution = [
    Cr,
    Cu,
    openAccumulator(witness.signed, key).nu,
    product([G, epsilon.randomizer], [H, zeta.randomizer]),
    product([Cu, alpha.randomizer], [inverseH, beta.randomizer]),
    product([Cr, alpha.randomizer], [inverseG, beta.randomizer], [inverseH, delta.randomizer]),
  ]
  return {
    contribution,
    respond: c => ({
      Cr,
      Cu,
      beta: respond(beta, c),
      delta: respond(delta, c),
      epsilon: respond(epsilon, c),
      zeta: respond(zeta, c),
      signed: witness.signed,
    }),
  }
}
