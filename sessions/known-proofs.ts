/** Disclosure proofs with the credential type and the issuer key that their own metadata names (spec/cryptography#12.2). This file does not
 *  verify proofs. @module */
import { type DisclosureProof, METADATA, type ProofToVerify } from '../crypto/disclosure.ts'
import { decodeMetadata, type Metadata } from '../crypto/metadata.ts'
import { type RemoteError, UnknownPublicKeyError } from '../protocol/errors.ts'
import { type CredentialTypeId, issuerOf, schemeOf } from '../protocol/ids.ts'
import { revocationIndexOf } from '../schemes/base-indices.ts'
import type { Schemes } from '../schemes/types.ts'
import type { KnownProof } from './disclosed.ts'

/** @param UnknownKey class of the error if the issuer is known but does not have the key
 *  @returns null if a proof names no known credential type
 *  @throws {RemoteError} of the class `UnknownKey` */
export function knownProofs(
  proofs: readonly DisclosureProof[],
  schemes: Schemes,
  UnknownKey: new (message: string) => RemoteError = UnknownPublicKeyError,
): KnownProof[] | null {
  const known: KnownProof[] = []
  for (const proof of proofs) {
    const metadata = readMetadata(proof.aDisclosed.get(METADATA))
    const type = metadata && schemes.credentialTypeByHash(metadata.credentialTypeHash)
    if (!metadata || !type) return null
    const issuer = issuerOf(type.id)
    const key = schemes.publicKey(issuer, metadata.keyCounter)
    if (key === undefined)
      throw new UnknownKey(`Missing public key: ${issuer} has no key ${metadata.keyCounter}`)
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

/** True if two proofs are of the same singleton type. A wallet has at most one instance of a singleton. */
export function hasSingletonTwice(proofs: readonly KnownProof[]): boolean {
  const singletons: CredentialTypeId[] = proofs
    .filter(({ type }) => type.isSingleton)
    .map(({ type }) => type.id)
  return new Set(singletons).size < singletons.length
}

export function proofsToVerify(known: readonly KnownProof[], schemes: Schemes): ProofToVerify[] {
  return known.map(({ proof, key, type }) => ({
    proof,
    key,
    group: schemes.groupOf(schemeOf(type.id)),
    attributeCount: type.attributes.length,
    revocationIndex: revocationIndexOf(type),
  }))
}
