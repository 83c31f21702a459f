/** The server's whole judgement of a disclosure message (`spec/cryptography.md` 12.1 to 12.5), in its order: the proofs, what they match, their
 *  expiry. Pure but for `verify`, which is given. @module */
import { METADATA, type DisclosureMessage as ProofsToVerify } from '../crypto/disclosure.ts'
import { decodeMetadata, type Metadata } from '../crypto/metadata.ts'
import type { DisclosureMessage } from '../protocol/disclosure-message.ts'
import { UnknownPublicKey } from '../protocol/errors.ts'
import { type CredentialTypeId, issuerOf, schemeOf } from '../protocol/ids.ts'
import type { DisclosureRequest } from '../protocol/request.ts'
import type { Schemes } from '../schemes/types.ts'
import type { KnownProof } from './disclosed.ts'
import { matchProofs, pointsToProofs } from './match-proofs.ts'
import type { Judgement } from './result.ts'

export type DisclosureToCheck = {
  readonly request: DisclosureRequest
  readonly message: DisclosureMessage
  readonly nonce: bigint
  readonly nowSec: number
  readonly schemes: Schemes
}

/** `context` of every disclosure (spec 2.9) */
const CONTEXT = 1n
const INVALID: Judgement = { proofStatus: 'INVALID' }

/** @param verify every check on the numbers; false: not valid
 *  @throws {UnknownPublicKey} for a key that its known issuer does not have
 *  @throws {ExceptionError} for an index far beyond the proofs
 *  @throws whatever `verify` throws */
export async function checkDisclosure(
  { request, message, nonce, nowSec, schemes }: DisclosureToCheck,
  verify: (proofs: ProofsToVerify) => Promise<boolean>,
): Promise<Judgement> {
  const proofs = findKeys(message, schemes)
  if (proofs === null || message.hasUncheckedParts || hasSingletonTwice(proofs)) return INVALID
  const isEmpty = proofs.length === 0
  if (!isEmpty && !(await verify({ ...proofsToVerify(proofs, schemes), nonce }))) return INVALID
  if (!pointsToProofs(message.indices, proofs.length)) return INVALID
  const { isComplete, disclosed } = matchProofs(request.disclose, message.indices, proofs)
  if (!isComplete) return { proofStatus: 'MISSING_ATTRIBUTES', disclosed }
  if (proofs.some(proof => isExpired(proof, request, nowSec))) return { proofStatus: 'EXPIRED', disclosed }
  return { proofStatus: 'VALID', disclosed }
}

/** @returns null if a proof names no credential type that is known */
function findKeys({ proofs }: DisclosureMessage, schemes: Schemes): KnownProof[] | null {
  const known: KnownProof[] = []
  for (const proof of proofs) {
    const metadata = readMetadata(proof.aDisclosed.get(METADATA))
    const type = metadata && schemes.credentialTypeByHash(metadata.credentialTypeHash)
    if (!metadata || !type) return null
    const issuer = issuerOf(type.id)
    const key = schemes.publicKey(issuer, metadata.keyCounter)
    if (key === undefined)
      throw new UnknownPublicKey(`Missing public key: ${issuer} has no key ${metadata.keyCounter}`)
    known.push({ proof, metadata, type, key })
  }
  return known
}

function readMetadata(attribute: bigint | undefined): Metadata | null {
  if (attribute === undefined) return null
  try {
    return decodeMetadata(attribute)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Nobody has two instances of a singleton. */
function hasSingletonTwice(proofs: readonly KnownProof[]): boolean {
  const singletons: CredentialTypeId[] = proofs
    .filter(({ type }) => type.isSingleton)
    .map(({ type }) => type.id)
  return new Set(singletons).size < singletons.length
}

function proofsToVerify(known: readonly KnownProof[], schemes: Schemes): Omit<ProofsToVerify, 'nonce'> {
  const proofs = known.map(({ proof, key, type }) => ({
    proof,
    key,
    group: schemes.groupOf(schemeOf(type.id)),
    attributeCount: type.attributes.length,
  }))
  return { proofs, context: CONTEXT, isSignature: false }
}

/** At its expiry a credential is still valid. One that was signed with an expired key never was, and no request can skip that. */
function isExpired({ metadata, type, key }: KnownProof, request: DisclosureRequest, nowSec: number): boolean {
  if (metadata.signingDateSec > key.expiresAtSec) return true
  return metadata.expiresAtSec < nowSec && !request.skipExpiryCheck.includes(type.id)
}
