/** Joins a keyshare server's commitments to a wallet's proofs before their challenge (spec/cryptography#9.1 and #11.2). The challenge covers the
 *  product of both halves, so neither half alone can answer it. A wrong number of the server is found when the proofs are verified. @module */
import type { Contribution } from '../draft.ts'

/** A keyshare server's commitment for one key: R_0^m_k and R_0^w_k mod n. */
export type KeyshareCommitment = { readonly P: bigint; readonly Pcommit: bigint }

/** @param n modulus of the key of the credential */
export function joinToDisclosure(
  [A, commitment, ...nonRevocation]: Contribution,
  { Pcommit }: Pick<KeyshareCommitment, 'Pcommit'>,
  n: bigint,
): Contribution {
  return [A, (commitment * Pcommit) % n, ...nonRevocation]
}

/** The challenge covers the whole U, although the wallet sends only its own half of it.
 *  @param n modulus of the key that the credential will be signed with */
export function joinToCommitment(
  [U, commitment]: Contribution,
  { P, Pcommit }: KeyshareCommitment,
  n: bigint,
): Contribution {
  return [(U * P) % n, (commitment * Pcommit) % n]
}
