/** Commitments of a wallet to its secret key, for a credential to be issued: ProofU of spec/cryptography#7.1, with the checks of spec/cryptography#16. The
 *  check of a whole list of proofs is in proof-list.ts. @module */
import type { Arithmetic, BasePowers } from './bignum/arithmetic.ts'
import { fitsBits } from './bytes.ts'
import { SECRET_KEY } from './disclosure.ts'
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

/** One commitment and its proof, as received. */
export type CommitmentProof = {
  readonly U: bigint
  readonly c: bigint
  readonly vPrimeResponse: bigint
  readonly sResponse: bigint
  /** by base index; only for random blind attributes */
  readonly mUserResponses: ReadonlyMap<number, bigint>
}

export type CommitmentToVerify = {
  readonly proof: CommitmentProof
  /** the key that the credential will be signed with */
  readonly key: IssuerPublicKey
  /** as in a disclosure */
  readonly group: string
  /** base indices of the random blind attributes of the credential type */
  readonly randomBlind: readonly number[]
}

/** Secret: the numbers that the wallet needs to complete the credential. */
export type CommitmentSecrets = {
  readonly vPrime: bigint
  /** the wallet's shares of random blind attributes, by base index */
  readonly shares: ReadonlyMap<number, bigint>
}

export type CommitmentChoice = {
  readonly key: IssuerPublicKey
  readonly randomBlind: readonly number[]
}

export type CreatedCommitment = { readonly proof: CommitmentProof; readonly secrets: CommitmentSecrets }

const FIRST_ATTRIBUTE = 2

/** Requires responses for exactly the random blind attributes. By another response the wallet could add a number of its choice to that attribute of the signed credential
 *  (spec/cryptography#9.2). */
function hasRightIndices({ proof, key, randomBlind }: CommitmentToVerify): boolean {
  const indices = new Set(randomBlind)
  return (
    proof.mUserResponses.size === indices.size &&
    [...indices].every(
      index => proof.mUserResponses.has(index) && index >= FIRST_ATTRIBUTE && index < key.R.length,
    )
  )
}

/** The response of the secret key may be larger than the other responses: it is the sum of those of the wallet and of the keyshare server. */
function hasRightSizes({ proof, key }: CommitmentToVerify): boolean {
  const { LvPrimeCommit, LsCommit, LmCommit } = systemParameters(key.n)
  return (
    proof.U > 0n &&
    proof.U < key.n &&
    fitsBits(proof.vPrimeResponse, LvPrimeCommit + 1) &&
    fitsBits(proof.sResponse, LsCommit + 2) &&
    [...proof.mUserResponses.values()].every(response => fitsBits(response, LmCommit + 1))
  )
}

/** Every check of one commitment except its challenge. */
export function isCommitmentProper(each: CommitmentToVerify): boolean {
  return hasRightIndices(each) && hasRightSizes(each)
}

/** The statement of a commitment (spec/cryptography#7.1): U = S^v' R_0^m_u prod R_i^m'_i. The values give U, the randomizers give U~, the responses give U~ U^c. */
function statement(v: bigint, secretKey: bigint, shares: ReadonlyMap<number, bigint>): BasePowers {
  return { S: v, R: new Map([[SECRET_KEY, secretKey], ...shares]) }
}

/** The numbers that a commitment adds to the challenge: U, and the U~ that its responses lead to.
 *  @param each a proper commitment, whose c has at most 256 bits
 *  @returns undefined if U has no inverse: the proof is invalid */
export function contributionOfCommitment(
  arithmetic: Arithmetic,
  { proof, key }: Pick<CommitmentToVerify, 'proof' | 'key'>,
): Contribution | undefined {
  const { U, c, vPrimeResponse, sResponse, mUserResponses } = proof
  const base = arithmetic.inverse(U, key.n)
  if (base === undefined) return undefined
  const powers = statement(vPrimeResponse, sResponse, mUserResponses)
  return [U, arithmetic.keyProduct(key, { ...powers, others: [{ base, exponent: c }] })]
}

/** First half of the prover's steps of spec/cryptography#7.1. Every exponent is secret.
 *  @param secretKey with the randomizer that all proofs of the list share
 *  @throws {RangeError} for an index without a base */
export function draftCommitment(
  arithmetic: Arithmetic,
  { key, randomBlind }: CommitmentChoice,
  secretKey: HiddenExponent,
  randomBytes: RandomBytes,
): Draft<CreatedCommitment> {
  const { Lm, LmCommit, LvPrime, LvPrimeCommit } = systemParameters(key.n)
  const v = hide(randomInteger(LvPrime, randomBytes), LvPrimeCommit, randomBytes)
  const share = (): HiddenExponent => hide(randomInteger(Lm - 1, randomBytes), LmCommit, randomBytes)
  const shares = new Map(randomBlind.map(index => [index, share()]))
  const product = (part: keyof HiddenExponent): bigint => {
    const parts = mapValues(shares, hidden => hidden[part])
    return secretProduct(arithmetic, key, statement(v[part], secretKey[part], parts))
  }
  const U = product('value')
  return {
    contribution: [U, product('randomizer')],
    respond: c => ({
      proof: {
        U,
        c,
        vPrimeResponse: respond(v, c),
        sResponse: respond(secretKey, c),
        mUserResponses: mapValues(shares, hidden => respond(hidden, c)),
      },
      secrets: { vPrime: v.value, shares: mapValues(shares, ({ value }) => value) },
    }),
  }
}
