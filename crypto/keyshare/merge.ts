/** Merges a keyshare server's part into proofs, on the issuer's side (spec/cryptography#11.4). The secret key is the sum of the wallet's and the
 *  keyshare server's halves. If the keyshare server answered another challenge than that of the proof, the merged proof gets an invalid challenge. So
 *  this is found when the proof is verified, like every other wrong part. @module */
import { HASH_BITS } from '../challenge.ts'
import type { CommitmentProof } from '../commitment.ts'
import { type DisclosureProof, SECRET_KEY } from '../disclosure.ts'

/** A challenge that is larger than every hash, so a proof with it is invalid. */
const NO_CHALLENGE = 1n << BigInt(HASH_BITS)

/** ProofP. */
export type KeyshareProof = {
  /** null in the hash-commitment protocol: its response covers both halves */
  readonly P: bigint | null
  readonly c: bigint
  readonly sResponse: bigint
}

/** Merges the server's part into a commitment. A U out of range is left unchanged, and is rejected later.
 *  @param n modulus of the key that the credential will be signed with */
export function mergeIntoCommitment(
  proof: CommitmentProof,
  { P, c, sResponse }: KeyshareProof,
  n: bigint,
): CommitmentProof {
  if (P === null) return { ...proof, c, sResponse }
  const U = proof.U < n ? (proof.U * P) % n : proof.U
  return { ...proof, c: commonChallenge(proof.c, c), U, sResponse: proof.sResponse + sResponse }
}

/** Merges the server's part into a disclosure. A proof without a response for the secret key is left unchanged, and is rejected later. */
export function mergeIntoDisclosure(
  proof: DisclosureProof,
  { P, c, sResponse }: KeyshareProof,
): DisclosureProof {
  const own = proof.aResponses.get(SECRET_KEY)
  const withResponse = (response: bigint) => new Map([...proof.aResponses, [SECRET_KEY, response]])
  if (P === null) return { ...proof, c, aResponses: withResponse(sResponse) }
  if (own === undefined) return proof
  return { ...proof, c: commonChallenge(proof.c, c), aResponses: withResponse(own + sResponse) }
}

function commonChallenge(own: bigint, answered: bigint): bigint {
  return own === answered ? own : NO_CHALLENGE
}
