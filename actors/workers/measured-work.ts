/** Work and its duration. A worker thread and the main thread run the same check of a proof and the same signature. @module */
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import type { Contribution } from '../../crypto/draft.ts'
import {
  type CredentialToSign,
  findSignaturePrime,
  type IssuedSignature,
  signCommitment,
} from '../../crypto/issuance.ts'
import { contributionOf, type ProofOfList } from '../../crypto/proof-list.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { orRefusal, type Refusal } from './refusal.ts'

const { bytes: randomBytes } = systemRandomness // imported here, because functions cannot be sent to another thread

/** `contribution`: undefined if the proof is invalid. */
export type CheckedProof = { readonly contribution: Contribution | undefined; readonly tookMs: number }

/** @returns the result of the work, and its duration */
export function measured<Result>(work: () => Result): { readonly result: Result; readonly tookMs: number } {
  const beganAt = performance.now()
  const result = work()
  return { result, tookMs: performance.now() - beganAt }
}

/** @param proof from a proper list */
export function checkProof(arithmetic: Arithmetic, proof: ProofOfList): CheckedProof {
  const { result: contribution, tookMs } = measured(() => contributionOf(arithmetic, proof))
  return { contribution, tookMs }
}

export type SignedCredential = {
  readonly signed: IssuedSignature | Refusal
  /** duration of the signature only */
  readonly signMs: number
  /** duration including the search for its prime, if it had none */
  readonly tookMs: number
}

/** @param e a fresh prime, used for this signature only; null: find one */
export function signCredential(
  arithmetic: Arithmetic,
  toSign: CredentialToSign,
  e: bigint | null,
): SignedCredential {
  const prime = measured(() => e ?? findSignaturePrime(arithmetic, toSign.key.n, randomBytes))
  const signature = measured(() =>
    orRefusal(() => signCommitment(arithmetic, toSign, prime.result, randomBytes)),
  )
  const signMs = signature.tookMs
  return { signed: signature.result, signMs, tookMs: prime.tookMs + signMs }
}
