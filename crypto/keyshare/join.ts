/** A keyshare server's commitments in a wallet's proofs, before their challenge (cryptography note, sections 9.1 and 11.2): the challenge is over the product
 *  of both halves, so that neither half alone answers it. Whether the server's numbers are right shows when the proofs are verified. @module */
import type { Contribution } from '../draft.ts'

/** What a keyshare server commits itself to, for one key: R_0^m_k and R_0^w_k mod n. */
export type KeyshareCommitment = { readonly P: bigint; readonly Pcommit: bigint }

/** @param n modulus of the key of the credential */
export function joinToDisclosure(
  [A, commitment, ...nonRevocation]: Contribution,
  { Pcommit }: KeyshareCommitment,
  n: bigint,
): Contribution {
  return [A, (commitment * Pcommit) % n, ...nonRevocation]
}

/** The challenge covers the whole U, although the wallet sends its own half of it alone.
 *  @param n modulus of the key that the credential will be signed with */
export function joinToCommitment(
  [U, commitment]: Contribution,
  { P, Pcommit }: KeyshareCommitment,
  n: bigint,
): Contribution {
  return [(U * P) % n, (commitment * Pcommit) % n]
}
