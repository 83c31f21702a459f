/** Disclosure proofs, ProofD of spec/cryptography#7.2: their form and the checks of their parts (spec/cryptography#16). Also the numbers that they add to
 *  the challenge, and how a wallet makes a proof. The check of a whole list of proofs is in proof-list.ts. Credential types, expiry and matching belong to
 *  `sessions`.
 *  @module */
import { attributeExponent } from './attribute.ts'
import type { Arithmetic } from './bignum/arithmetic.ts'
import { fitsBits } from './bytes.ts'
import {
  type Contribution,
  type Draft,
  type HiddenExponent,
  hide,
  mapValues,
  respond,
  secretProduct,
} from './draft.ts'
import { type IssuerPublicKey, systemParameters } from './public-key.ts'
import { type RandomBytes, randomInteger } from './random.ts'
import {
  ALPHA_RANDOMIZER_BITS,
  contributionOfNonRevocation,
  draftNonRevocation,
  isNonRevocationProper,
  type NonRevocationProof,
} from './revocation/proof.ts'
import type { Witness } from './revocation/witness.ts'
import { type ClSignature, signatureEquation } from './signature.ts'

/** One proof, as received. The maps go from base index to integer: responses of hidden attributes, values of disclosed attributes. */
export type DisclosureProof = {
  readonly c: bigint
  readonly A: bigint
  readonly eResponse: bigint
  readonly vResponse: bigint
  readonly aResponses: ReadonlyMap<number, bigint>
  readonly aDisclosed: ReadonlyMap<number, bigint>
  readonly nonRevocation?: NonRevocationProof
}

export type ProofToVerify = {
  readonly proof: DisclosureProof
  /** the key that the proof's metadata names */
  readonly key: IssuerPublicKey
  /** proofs of one group must share one secret key: "." or the identifier of a scheme with a keyshare server */
  readonly group: string
  /** number of attributes of the credential type, without metadata and secret key */
  readonly attributeCount: number
  /** base index of the type's revocation attribute; null: the type has none */
  readonly revocationIndex: number | null
}

export const SECRET_KEY = 0
export const METADATA = 1
/** The number of bases before those of the credential type's attributes: secret key and metadata. */
export const BASES_BEFORE_ATTRIBUTES = 2

/** Checks the indices. They are whole numbers and each has a base. None is both hidden and disclosed, because the prover could choose such a value freely. The
 *  secret key is hidden, the metadata is disclosed. Disclosed indices lie within the credential type. */
function hasRightIndices({ proof, key, attributeCount }: ProofToVerify): boolean {
  const { aResponses, aDisclosed } = proof
  const areBelow = (indices: Iterable<number>, end: number): boolean =>
    [...indices].every(index => Number.isInteger(index) && index >= 0 && index < end)
  return (
    aResponses.has(SECRET_KEY) &&
    aDisclosed.has(METADATA) &&
    [...aDisclosed.keys()].every(index => !aResponses.has(index)) &&
    areBelow(aResponses.keys(), key.R.length) &&
    areBelow(aDisclosed.keys(), Math.min(key.R.length, attributeCount + BASES_BEFORE_ATTRIBUTES))
  )
}

/** Checks the sizes. They bound the work. For responses of attributes they also bound the range that the proof is about. A = 0 would verify for any attributes.
 *  Any other A with a divisor in common with n means that the prover can factor n anyway. */
function hasRightSizes({ proof, key }: ProofToVerify): boolean {
  const { LeCommit, LvCommit, LmCommit } = systemParameters(key.n)
  return (
    proof.A > 0n &&
    proof.A < key.n &&
    fitsBits(proof.eResponse, LeCommit + 1) &&
    fitsBits(proof.vResponse, LvCommit + 1) &&
    [...proof.aResponses.values()].every(response => fitsBits(response, LmCommit + 1)) &&
    [...proof.aDisclosed.values()].every(value => value >= 0n)
  )
}

type Revocable = Pick<ProofToVerify, 'proof' | 'key' | 'revocationIndex'>

/** A proof of non-revocation is always checked against the revocation attribute of the type. A proof about another attribute, such as an empty text, would
 *  prove nothing. */
function alphaOf({ proof, revocationIndex }: Revocable): bigint | undefined {
  return revocationIndex === null ? undefined : proof.aResponses.get(revocationIndex)
}

function hasRightNonRevocation(each: Revocable): boolean {
  const { nonRevocation } = each.proof
  if (nonRevocation === undefined) return true
  const alpha = alphaOf(each)
  return alpha !== undefined && isNonRevocationProper({ proof: nonRevocation, alpha, key: each.key })
}

/** Every check of one disclosure except its challenge and the signature of an accumulator. */
export function isDisclosureProper(each: ProofToVerify): boolean {
  return hasRightIndices(each) && hasRightSizes(each) && hasRightNonRevocation(each)
}

/** The numbers that a disclosure adds to the challenge: A, Z~, and the contribution of its proof of non-revocation. The responses to the exponents of the
 *  signature's equation give Z~ Z^c (spec/cryptography#7.2, the form without an inversion). The known part of an exponent has no randomizer, so its response is c times
 *  the part. A disclosed attribute is known entirely; the known part of e is 2^(Le-1).
 *  @param each a proper disclosure, whose c has at most 256 bits
 *  @returns undefined for an invalid proof of non-revocation */
export function contributionOfDisclosure(arithmetic: Arithmetic, each: Revocable): Contribution | undefined {
  const { proof, key } = each
  const { Le, Lm } = systemParameters(key.n)
  const { c, A, eResponse, vResponse, aResponses, aDisclosed, nonRevocation } = proof
  const m = new Map(aResponses)
  for (const [index, value] of aDisclosed) m.set(index, c * attributeExponent(value, Lm))
  const powers = signatureEquation(A, (c << BigInt(Le - 1)) + eResponse, vResponse, m)
  const commitment = arithmetic.keyProduct(key, { ...powers, inverseZ: c })
  if (nonRevocation === undefined) return [A, commitment]
  const alpha = alphaOf(each)
  if (alpha === undefined) return undefined
  const more = contributionOfNonRevocation(arithmetic, { proof: nonRevocation, alpha, c, key })
  return more && [A, commitment, ...more]
}

/** The data that a wallet has of one credential. */
export type OwnedCredential = {
  readonly signature: ClSignature
  /** from base index 1: metadata first */
  readonly attributes: readonly bigint[]
  readonly key: IssuerPublicKey
}

export type DisclosureChoice = {
  readonly credential: OwnedCredential
  /** base indices from 2; the metadata is always disclosed */
  readonly disclosed: readonly number[]
  /** if given, non-revocation is proved */
  readonly nonRevocation?: NonRevocationChoice
}

export type NonRevocationChoice = {
  /** a valid witness, whose e is the credential's revocation attribute; secret */
  readonly witness: Witness
  /** base index of that attribute: verifiers go by the index, and another hidden attribute may hold the same number */
  readonly index: number
}

type Attributes = {
  readonly hidden: ReadonlyMap<number, HiddenExponent>
  readonly aDisclosed: ReadonlyMap<number, bigint>
}

/** Splits the attributes of a credential into hidden and disclosed ones. Each hidden one gets a fresh randomizer.
 *  @throws {RangeError} for an index that the credential does not have */
function chooseAttributes(
  { credential: { attributes, key }, disclosed, nonRevocation }: DisclosureChoice,
  secretKey: HiddenExponent,
  randomBytes: RandomBytes,
): Attributes {
  const { Lm, LmCommit } = systemParameters(key.n)
  const last = attributes.length
  if (last < METADATA || last >= key.R.length)
    throw new RangeError(`attributes: expected 1 to ${key.R.length - 1}, got ${last}`)
  const known = (index: number): boolean => Number.isInteger(index) && index >= METADATA && index <= last
  if (!disclosed.every(known)) throw new RangeError(`indices to disclose: expected ${METADATA} to ${last}`)
  const hidden = new Map([[SECRET_KEY, secretKey]])
  const aDisclosed = new Map<number, bigint>()
  for (const [i, attribute] of attributes.entries()) {
    const index = METADATA + i
    if (index === METADATA || disclosed.includes(index)) aDisclosed.set(index, attribute)
    else {
      const bits = index === nonRevocation?.index ? ALPHA_RANDOMIZER_BITS : LmCommit
      hidden.set(index, hide(attributeExponent(attribute, Lm), bits, randomBytes))
    }
  }
  return { hidden, aDisclosed }
}

/** First half of the prover's steps of spec/cryptography#7.2. Every exponent is secret. The randomizers of the exponents of the signature's equation give Z~.
 *  @param secretKey with the randomizer that all proofs of the list share
 *  @throws {RangeError} for an index that the credential does not have, or a witness of another credential
 *  @throws {RevocationDataError} for a witness under another key */
export function draftDisclosure(
  arithmetic: Arithmetic,
  choice: DisclosureChoice,
  secretKey: HiddenExponent,
  randomBytes: RandomBytes,
): Draft<DisclosureProof> {
  const { signature, key } = choice.credential
  const { Le, LRA, LeCommit, LvCommit } = systemParameters(key.n)
  const { hidden, aDisclosed } = chooseAttributes(choice, secretKey, randomBytes)
  const r = randomInteger(LRA, randomBytes) // hides the signature: A' = A S^r and v' = v - e r
  const A = (signature.A * arithmetic.secretPower(key.S, r, key.n)) % key.n
  const e = hide(signature.e - 2n ** BigInt(Le - 1), LeCommit, randomBytes)
  const v = hide(signature.v - signature.e * r, LvCommit, randomBytes)
  const randomizers = mapValues(hidden, ({ randomizer }) => randomizer)
  const powers = signatureEquation(A, e.randomizer, v.randomizer, randomizers)
  const commitment = secretProduct(arithmetic, key, powers) // Z~
  const nonRevocation =
    choice.nonRevocation && draftFor(arithmetic, choice.nonRevocation, { hidden, key }, randomBytes)
  return {
    contribution: [A, commitment, ...(nonRevocation?.contribution ?? [])],
    respond: c => ({
      c,
      A,
      eResponse: respond(e, c),
      vResponse: respond(v, c),
      aResponses: mapValues(hidden, attribute => respond(attribute, c)),
      aDisclosed,
      ...(nonRevocation && { nonRevocation: nonRevocation.respond(c) }),
    }),
  }
}

function draftFor(
  arithmetic: Arithmetic,
  { witness, index }: NonRevocationChoice,
  { hidden, key }: Pick<Attributes, 'hidden'> & Pick<OwnedCredential, 'key'>,
  randomBytes: RandomBytes,
) {
  const alpha = hidden.get(index)
  if (alpha?.value !== witness.e)
    throw new RangeError(`witness: expected e to be the hidden attribute at base index ${index}`)
  return draftNonRevocation(arithmetic, { witness, alpha, key }, randomBytes)
}
