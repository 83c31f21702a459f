/** The proofs of one message, which share one challenge (spec/cryptography#7.3, #7.4): verifying them, and making them as a wallet does. Disclosures
 *  come first, then commitments. The check has three parts. The second part is nearly all of the work, and can be done proof by proof on any thread. @module */
import type { Arithmetic } from './bignum/arithmetic.ts'
import { fitsBits } from './bytes.ts'
import { HASH_BITS, hashCommit } from './challenge.ts'
import {
  type CommitmentChoice,
  type CommitmentToVerify,
  type CreatedCommitment,
  contributionOfCommitment,
  draftCommitment,
  isCommitmentProper,
} from './commitment.ts'
import {
  contributionOfDisclosure,
  type DisclosureChoice,
  type DisclosureProof,
  draftDisclosure,
  isDisclosureProper,
  type ProofToVerify,
  SECRET_KEY,
} from './disclosure.ts'
import { type Contribution, hide } from './draft.ts'
import { joinToCommitment, joinToDisclosure, type KeyshareCommitment } from './keyshare/join.ts'
import type { RandomBytes } from './random.ts'

export type ProofList = {
  readonly disclosures: readonly ProofToVerify[]
  readonly commitments: readonly CommitmentToVerify[]
  readonly context: bigint
  readonly nonce: bigint
  readonly isSignature: boolean
}

/** The most proofs of one message. It bounds the work before any of it is done. */
export const MAX_PROOFS = 256
/** The bits of the secret key's randomizer, for every key size: responses to one secret key must be equal under all keys. */
const SECRET_KEY_RANDOMIZER_BITS = 592

/** Requires one challenge in all proofs, and one response for the secret key within each group (spec/cryptography#7.4, steps 3 and 4).
 *  @returns the challenge; undefined if the proofs do not belong together, or if there are none */
function sharedChallenge({ disclosures, commitments }: ProofList): bigint | undefined {
  const parts = [
    ...disclosures.map(({ proof, group }) => ({
      c: proof.c,
      group,
      response: proof.aResponses.get(SECRET_KEY),
    })),
    ...commitments.map(({ proof, group }) => ({ c: proof.c, group, response: proof.sResponse })),
  ]
  const responses = new Map(parts.map(({ group, response }) => [group, response]))
  const c = parts[0]?.c
  const areLinked = parts.every(part => part.c === c && part.response === responses.get(part.group))
  return areLinked ? c : undefined
}

/** True if all proofs of a message are valid under their keys, for this context and nonce, and belong to the same secret keys. False for a message without
 *  proofs, which proves nothing.
 *  @param list as received, no number checked; keys and random blind indices are trusted
 *  @throws {RangeError} for a key of an unsupported length, never because of a proof */
export function verifyProofs(arithmetic: Arithmetic, list: ProofList): boolean {
  if (!isListProper(list)) return false
  const contributions: Contribution[] = []
  for (const proof of proofsOf(list)) {
    const contribution = contributionOf(arithmetic, proof)
    if (contribution === undefined) return false
    contributions.push(contribution)
  }
  return isChallengeOf(list, contributions)
}

/** Every check of a list (spec/cryptography#7.4, steps 1, 3 and 4) that needs no arithmetic: count and sizes bound the work, and the proofs belong together.
 *  @throws {RangeError} for a key of an unsupported length */
export function isListProper(list: ProofList): boolean {
  const { disclosures, commitments, context, nonce } = list
  if (disclosures.length + commitments.length > MAX_PROOFS) return false
  const c = sharedChallenge(list)
  if (c === undefined || !fitsBits(c, HASH_BITS)) return false // step 1: an empty list has no challenge
  if (context < 0n || !fitsBits(nonce, HASH_BITS)) return false
  return disclosures.every(isDisclosureProper) && commitments.every(isCommitmentProper)
}

/** The parts of one proof that its contribution depends on. */
export type ProofOfList =
  | ({ readonly kind: 'disclosure' } & Pick<ProofToVerify, 'proof' | 'key' | 'revocationIndex'>)
  | ({ readonly kind: 'commitment' } & Pick<CommitmentToVerify, 'proof' | 'key'>)

/** The proofs in the order in which they add to the challenge. */
export function proofsOf({ disclosures, commitments }: ProofList): readonly ProofOfList[] {
  return [
    ...disclosures.map(
      ({ proof, key, revocationIndex }) => ({ kind: 'disclosure', proof, key, revocationIndex }) as const,
    ),
    ...commitments.map(({ proof, key }) => ({ kind: 'commitment', proof, key }) as const),
  ]
}

/** @param each from a proper list
 *  @returns undefined if this proof is invalid; the other proofs do not matter */
export function contributionOf(arithmetic: Arithmetic, each: ProofOfList): Contribution | undefined {
  return each.kind === 'disclosure'
    ? contributionOfDisclosure(arithmetic, each)
    : contributionOfCommitment(arithmetic, each)
}

/** True if the contributions lead to the challenge that the proofs answer (spec/cryptography#7.4, step 2).
 *  @param contributions of all proofs, in order */
export function isChallengeOf(list: ProofList, contributions: readonly Contribution[]): boolean {
  const { context, nonce, isSignature } = list
  return hashCommit([context, ...contributions.flat(), nonce], isSignature) === sharedChallenge(list)
}

export type ProverInput = {
  readonly disclosures: readonly DisclosureChoice[]
  readonly commitments: readonly CommitmentChoice[]
  /** secret */
  readonly secretKey: bigint
  readonly context: bigint
  readonly isSignature: boolean
}

/** In the order of the input. */
export type CreatedProofs = {
  readonly disclosures: readonly DisclosureProof[]
  readonly commitments: readonly CreatedCommitment[]
}

/** The parts of keyshare servers, by proof; null: no keyshare server takes part. */
export type KeyshareParts = {
  readonly disclosures: readonly (Pick<KeyshareCommitment, 'Pcommit'> | null)[]
  readonly commitments: readonly (KeyshareCommitment | null)[]
}

const NO_PARTS: KeyshareParts = { disclosures: [], commitments: [] }

/** Proofs whose nonce is not known yet. */
export type ProofDrafts = {
  /** the numbers that the proofs add to the challenge, without the parts of keyshare servers; in the order of the input */
  readonly contributions: {
    readonly disclosures: readonly Contribution[]
    readonly commitments: readonly Contribution[]
  }
  /** May be called for each new commitment of a keyshare server. Only an answer uses the drafts up. */
  bind(nonce: bigint, parts: KeyshareParts): BoundProofs
  /** The answer, if no keyshare server takes part.
   *  @throws {Error} as `respond` */
  finish(nonce: bigint): CreatedProofs
}

export type BoundProofs = {
  readonly challenge: bigint
  /** The wallet's own half of every proof.
   *  @throws {Error} after another answer from the same drafts: two answers would reveal what the proofs hide */
  respond(): CreatedProofs
}

/** Drafts proofs about credentials of one secret key for one verifier, and commitments to that key for credentials to be issued.
 *  @throws {RangeError} for an index that a credential or a key does not have */
export function draftProofs(
  arithmetic: Arithmetic,
  { secretKey, context, isSignature, ...input }: ProverInput,
  randomBytes: RandomBytes,
): ProofDrafts {
  const secret = hide(secretKey, SECRET_KEY_RANDOMIZER_BITS, randomBytes)
  const disclosures = input.disclosures.map(each => draftDisclosure(arithmetic, each, secret, randomBytes))
  const commitments = input.commitments.map(each => draftCommitment(arithmetic, each, secret, randomBytes))
  const contributions: ProofDrafts['contributions'] = {
    disclosures: disclosures.map(({ contribution }) => contribution),
    commitments: commitments.map(({ contribution }) => contribution),
  }
  let isAnswered = false
  const bind = (nonce: bigint, parts: KeyshareParts): BoundProofs => {
    const joined = contributionsWith(parts, input, contributions)
    const challenge = hashCommit([context, ...joined.flat(), nonce], isSignature)
    const respond = (): CreatedProofs => {
      if (isAnswered) throw new Error('proofs: expected one nonce, got a second one')
      isAnswered = true
      return {
        disclosures: disclosures.map(draft => draft.respond(challenge)),
        commitments: commitments.map(draft => draft.respond(challenge)),
      }
    }
    return { challenge, respond }
  }
  return {
    contributions,
    bind,
    finish: nonce => bind(nonce, NO_PARTS).respond(),
  }
}

function contributionsWith(
  parts: KeyshareParts,
  input: Pick<ProverInput, 'disclosures' | 'commitments'>,
  own: ProofDrafts['contributions'],
): Contribution[] {
  return [
    ...own.disclosures.map((contribution, i) => {
      const [part, key] = [parts.disclosures[i], input.disclosures[i]?.credential.key]
      return part && key ? joinToDisclosure(contribution, part, key.n) : contribution
    }),
    ...own.commitments.map((contribution, i) => {
      const [part, key] = [parts.commitments[i], input.commitments[i]?.key]
      return part && key ? joinToCommitment(contribution, part, key.n) : contribution
    }),
  ]
}
