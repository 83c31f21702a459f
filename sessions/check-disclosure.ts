/** Judges a disclosure message (spec/cryptography#12.1 to #12.5) in the order of the spec: the proofs, hashes disclosed as values, revocation,
 *  the match with the request, expiry. `judgeDisclosed` is the part that all types of sessions share. Pure except for the argument `verify`. @module */
import type { ProofList } from '../crypto/proof-list.ts'
import type { DisclosureMessage } from '../protocol/disclosure-message.ts'
import type { DisclosureIndices } from '../protocol/proofs-json.ts'
import type { SessionRequest } from '../protocol/request.ts'
import type { Schemes } from '../schemes/types.ts'
import type { CheckServices } from './checked-submission.ts'
import type { KnownProof } from './disclosed.ts'
import { disclosesHash, type LongValues } from './hashed-values.ts'
import { hasSingletonTwice, knownProofs, proofsToVerify } from './known-proofs.ts'
import { matchProofs, pointsToProofs } from './match-proofs.ts'
import { judgeNonRevocation, type NonRevocationFacts } from './non-revocation.ts'
import type { Judgement } from './result.ts'

/** The disclosures that a session asks for; `implicitDisclose` is at the end of `disclose`. */
export type RequestedDisclosures = Pick<SessionRequest, 'disclose' | 'skipExpiryCheck' | 'nonRevocation'>

export type DisclosureToCheck = {
  readonly request: RequestedDisclosures
  readonly message: DisclosureMessage
  readonly nonce: bigint
  readonly nowSec: number
  readonly schemes: Schemes
  readonly nonRevocation: NonRevocationFacts
  readonly longValues: LongValues
}

/** The `context` of every session (spec/interface#2.9). */
export const CONTEXT = 1n
export const INVALID: Judgement = { proofStatus: 'INVALID' }

/** @throws {UnknownPublicKeyError} if the issuer is known but does not have the key
 *  @throws {ExceptionError} for an index above the number of proofs
 *  @throws errors of `verify`, unchanged */
export async function checkDisclosure(
  { request, message, nonce, nowSec, schemes, nonRevocation, longValues }: DisclosureToCheck,
  verify: CheckServices['verify'],
): Promise<Judgement> {
  const { proofs, indices, hasUncheckedParts } = message
  const known = knownProofs(proofs, schemes)
  if (known === null || hasUncheckedParts || hasSingletonTwice(known)) return INVALID
  const list: ProofList = {
    disclosures: proofsToVerify(known, schemes),
    commitments: [],
    context: CONTEXT,
    nonce,
    isSignature: false,
  }
  const isRight = known.length === 0 || (await verify(list))
  return isRight
    ? judgeDisclosed(request, { known, indices, nonRevocation, longValues, atSec: nowSec })
    : INVALID
}

export type VerifiedDisclosure = {
  /** verified; may be empty */
  readonly known: readonly KnownProof[]
  readonly indices: DisclosureIndices
  /** the time at which the credentials must be valid, Unix seconds */
  readonly atSec: number
  readonly nonRevocation: NonRevocationFacts
  readonly longValues: LongValues
}

/** Judges proofs that were verified (12.1 from step 2 on): do they match the request, and were their credentials valid?
 *  @throws {ExceptionError} for an index above the number of proofs */
export function judgeDisclosed(
  asked: RequestedDisclosures,
  { known, indices, atSec, nonRevocation, longValues }: VerifiedDisclosure,
): Judgement {
  if (known.some(proof => disclosesHash(proof, longValues))) return INVALID
  const judged = judgeNonRevocation(known, asked.nonRevocation, nonRevocation, atSec)
  if (judged === null || !pointsToProofs(indices, known.length)) return INVALID
  const { isComplete, disclosed } = matchProofs(asked.disclose, indices, judged)
  if (!isComplete) return { proofStatus: 'MISSING_ATTRIBUTES', disclosed }
  if (known.some(proof => isExpired(proof, asked, atSec))) return { proofStatus: 'EXPIRED', disclosed }
  return { proofStatus: 'VALID', disclosed }
}

/** A credential is still valid at the second of its expiry. A credential that was signed after its key expired was never valid, and `skipExpiryCheck`
 *  does not change that. */
function isExpired({ metadata, type, key }: KnownProof, asked: RequestedDisclosures, atSec: number): boolean {
  if (metadata.signingDateSec > key.expiresAtSec) return true
  return metadata.expiresAtSec < atSec && !asked.skipExpiryCheck.includes(type.id)
}
