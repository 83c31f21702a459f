/** Checks that credentials are not revoked (spec/cryptography#14.6). A proof of non-revocation must be there if it was requested. Its
 *  accumulator must not be older than the one that the app was sent. The time of the accumulator is compared with the tolerance. Only for verified
 *  proofs, each with the issuer's signature on its accumulator. @module */
import { type Accumulator, readAccumulator } from '../crypto/revocation/accumulator.ts'
import type { CredentialTypeId } from '../protocol/ids.ts'
import type { NonRevocationRequest } from '../protocol/request-members.ts'
import { NOTHING_SENT, type SentUpdate, type SentUpdates } from '../protocol/sent-updates.ts'
import type { KnownProof } from './disclosed.ts'

/** The facts of this server, in addition to the proofs and the request. */
export type NonRevocationFacts = {
  readonly sent: SentUpdates
  /** the maximum age of a proof if the request sets none; seconds */
  readonly toleranceSec: (type: CredentialTypeId) => number
}

/** The maximum age of a proof if neither the request nor the operator sets one. */
export const DEFAULT_TOLERANCE_SEC = 600

/** The facts for a proof outside a session. */
export const NOTHING_KNOWN: NonRevocationFacts = {
  sent: NOTHING_SENT,
  toleranceSec: () => DEFAULT_TOLERANCE_SEC,
}

/** @param atSec the time at which the credentials must be valid, Unix seconds
 *  @returns the proofs, with the end of the proved time if it is older than the tolerance; null: `INVALID` */
export function judgeNonRevocation(
  known: readonly KnownProof[],
  asked: readonly NonRevocationRequest[],
  facts: NonRevocationFacts,
  atSec: number,
): KnownProof[] | null {
  const judged: KnownProof[] = []
  for (const proof of known) {
    const request = asked.find(({ credential }) => credential === proof.type.id)
    const { nonRevocation } = proof.proof
    if (nonRevocation === undefined) {
      if (request) return null
      judged.push(proof)
      continue
    }
    const theirs = readAccumulator(nonRevocation.signed)
    const ours = facts.sent.get(proof.type.id)?.get(proof.key.counter)
    if (ours !== undefined && ours.index > theirs.index) return null // the revocation since then may be of this credential
    const toleranceSec = request?.toleranceSec || facts.toleranceSec(proof.type.id)
    const provedAtSec = saysSomethingAt(theirs, ours)
    // a proof newer than `atSec` is within the tolerance
    judged.push(atSec - provedAtSec > toleranceSec ? { ...proof, notRevokedBeforeSec: provedAtSec } : proof)
  }
  return judged
}

/** The last time at which the accumulator was known to be current. If it is the one that this server sent, a later refresh counts in place of the
 *  time of the issuer. */
function saysSomethingAt({ index, atSec }: Accumulator, ours: SentUpdate | undefined): number {
  const isSame = ours !== undefined && ours.index === index
  return isSame ? Math.max(atSec, ours.refreshedAtSec ?? atSec) : atSec
}
