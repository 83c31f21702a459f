/** The check of one proof of a message, and how long it takes: the same in a worker thread and in the thread of the calls. @module */
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import type { Contribution } from '../../crypto/draft.ts'
import { contributionOf, type ProofOfList } from '../../crypto/proof-list.ts'

/** `contribution`: undefined if the proof is not valid. */
export type CheckedProof = { readonly contribution: Contribution | undefined; readonly tookMs: number }

/** @param proof of a proper list */
export function checkProof(arithmetic: Arithmetic, proof: ProofOfList): CheckedProof {
  const beganAt = performance.now()
  const contribution = contributionOf(arithmetic, proof)
  return { contribution, tookMs: performance.now() - beganAt }
}
