/** Work with how long it takes. The check of one proof, and one signature, are the same in a worker thread and in the thread of the calls. @module */
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

const { bytes: randomBytes } = systemRandomness // no function reaches another thread as an argument

/** `contribution`: undefined if the proof is not valid. */
export type CheckedProof = { readonly contribution: Contribution | undefined; readonly tookMs: number }

/** @returns what the work returned, and how long it took */
export function measured<Result>(work: () => Result): { readonly result: Result; readonly tookMs: number } {
  const beganAt = performance.now()
  const result = work()
  return { result, tookMs: performance.now() - beganAt }
}

/** @param proof of a proper list */
export function checkProof(arithmetic: Arithmetic, proof: ProofOfList): CheckedProof {
  const { result: contribution, tookMs } = measured(() => contributionOf(arithmetic, proof))
  return { contribution, tookMs }
}

export type SignedCredential = {
  readonly signed: IssuedSignature | Refusal
  /** of the signature alone */
  readonly signMs: number
  /** with finding its prime, if it had none */
  readonly tookMs: number
}

/** @param e a fresh prime, used for this alone; null: find one */
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
