/** Proofs of non-revocation (cryptography note, section 14.5): that the revocation attribute of a disclosure has a root in an accumulator,
 *  without telling either. @module */
import type { SignedAccumulator } from './accumulator.ts'

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
