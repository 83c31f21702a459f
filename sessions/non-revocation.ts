/** Whether credentials were shown not to be revoked (`spec/cryptography.md` 14.6): a proof of non-revocation where one was asked for, about no older
 *  state than the app was sent, and how long ago it says something. Only for proofs that were verified, each with the issuer's signature on its
 *  accumulator. @module */
import { type Accumulator, readAccumulator } from '../crypto/revocation/accumulator.ts'
import type { CredentialTypeId } from '../protocol/ids.ts'
import type { NonRevocationRequest } from '../protocol/request-members.ts'
import { NOTHING_SENT, type SentUpdate, type SentUpdates } from '../protocol/sent-updates.ts'
import type { KnownProof } from './disclosed.ts'

/** What this server knows, beside the proofs and what was asked for. */
export type NonRevocationFacts = {
  readonly sent: SentUpdates
  /** how old a proof may be where the request says nothing; seconds */
  readonly toleranceSec: (type: CredentialTypeId) => number
}

/** The age that a proof may have where neither the request nor the operator says one. */
export const DEFAULT_TOLERANCE_SEC = 600

/** The facts for a proof that no session asked for. */
export const NOTHING_KNOWN: NonRevocationFacts = {
  sent: NOTHING_SENT,
  toleranceSec: () => DEFAULT_TOLERANCE_SEC,
}

/** @param atSec when the credentials must have been valid, Unix seconds
 *  @returns the proofs, with what each says of revocation; null: `INVALID` */
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
    if (ours !== undefined && ours.index > theirs.index) return null // a revocation since then may be its own
    const toleranceSec = request?.toleranceSec || facts.toleranceSec(proof.type.id)
    const provedAtSec = saysSomethingAt(theirs, ours)
    // later than `atSec` too is well within
    judged.push(atSec - provedAtSec > toleranceSec ? { ...proof, notRevokedBeforeSec: provedAtSec } : proof)
  }
  return judged
}

/** An accumulator that this server, later than its issuer, still knew to be the last one says as much of that time. */
function saysSomethingAt({ index, atSec }: Accumulator, ours: SentUpdate | undefined): number {
  const isSame = ours !== undefined && ours.index === index
  return isSame ? Math.max(atSec, ours.refreshedAtSec ?? atSec) : atSec
}
