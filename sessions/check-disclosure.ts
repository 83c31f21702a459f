/** The judgement of a disclosure message (`spec/cryptography.md` 12.1 to 12.5), in its order: the proofs, whether what they disclose are values,
 *  revocation, what they match, their expiry; and the part of it that every type of session has. Pure but for `verify`, which is given. @module */
import type { ProofList } from '../crypto/proof-list.ts'
import type { DisclosureMessage } from '../protocol/disclosure-message.ts'
import type { DisclosureIndices } from '../protocol/proofs-json.ts'
import type { SessionRequest } from '../protocol/request.ts'
import type { Schemes } from '../schemes/types.ts'
import type { CheckServices } from './checked.ts'
import type { KnownProof } from './disclosed.ts'
import { disclosesHash } from './hashed-values.ts'
import { hasSingletonTwice, knownProofs, proofsToVerify } from './known-proofs.ts'
import { matchProofs, pointsToProofs } from './match-proofs.ts'
import { judgeNonRevocation, type NonRevocationFacts } from './non-revocation.ts'
import type { Judgement } from './result.ts'

/** What a session asks for: with `implicitDisclose` at the end of `disclose`. */
export type Asked = Pick<SessionRequest, 'disclose' | 'skipExpiryCheck' | 'nonRevocation'>

export type DisclosureToCheck = {
  readonly request: Asked
  readonly message: DisclosureMessage
  readonly nonce: bigint
  readonly nowSec: number
  readonly schemes: Schemes
  readonly nonRevocation: NonRevocationFacts
}

/** The `context` of every session (spec 2.9). */
export const CONTEXT = 1n
export const INVALID: Judgement = { proofStatus: 'INVALID' }

/** @throws {UnknownPublicKey} for a key that its known issuer does not have
 *  @throws {ExceptionError} for an index far beyond the proofs
 *  @throws whatever `verify` throws */
export async function checkDisclosure(
  { request, message, nonce, nowSec, schemes, nonRevocation }: DisclosureToCheck,
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
  return isRight ? judgeDisclosed(request, { known, indices, nonRevocation, atSec: nowSec }) : INVALID
}

export type Disclosed = {
  /** verified, or none */
  readonly known: readonly KnownProof[]
  readonly indices: DisclosureIndices
  /** when the credentials must have been valid */
  readonly atSec: number
  readonly nonRevocation: NonRevocationFacts
}

/** What proofs that are right come to: whether they are what was asked for, and whether their credentials were valid (12.1 from step 2 on).
 *  @throws {ExceptionError} for an index far beyond the proofs */
export function judgeDisclosed(asked: Asked, { known, indices, atSec, nonRevocation }: Disclosed): Judgement {
  if (known.some(disclosesHash)) return INVALID
  const judged = judgeNonRevocation(known, asked.nonRevocation, nonRevocation, atSec)
  if (judged === null || !pointsToProofs(indices, known.length)) return INVALID
  const { isComplete, disclosed } = matchProofs(asked.disclose, indices, judged)
  if (!isComplete) return { proofStatus: 'MISSING_ATTRIBUTES', disclosed }
  if (known.some(proof => isExpired(proof, asked, atSec))) return { proofStatus: 'EXPIRED', disclosed }
  return { proofStatus: 'VALID', disclosed }
}

/** At its expiry a credential is still valid. One that was signed with an expired key never was, and no request can skip that. */
function isExpired({ metadata, type, key }: KnownProof, asked: Asked, atSec: number): boolean {
  if (metadata.signingDateSec > key.expiresAtSec) return true
  return metadata.expiresAtSec < atSec && !asked.skipExpiryCheck.includes(type.id)
}
