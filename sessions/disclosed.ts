/** The disclosed attributes of a proof, as the requestor reads them (spec/interface#2.8, spec/cryptography#12.5). Only for proofs that were verified:
 *  unsigned values are not decoded. @module */
import { decodeAttribute, decodeRandomBlind } from '../crypto/attribute.ts'
import { type DisclosureProof, METADATA } from '../crypto/disclosure.ts'
import type { Metadata } from '../crypto/metadata.ts'
import type { IssuerPublicKey } from '../crypto/public-key.ts'
import type { AttributeRequestId } from '../protocol/ids.ts'
import type { CredentialType } from '../schemes/types.ts'

/** A proof whose metadata names a known credential type and key. */
export type KnownProof = {
  readonly proof: DisclosureProof
  readonly metadata: Metadata
  readonly type: CredentialType
  readonly key: IssuerPublicKey
  /** the credential was not revoked until then, Unix seconds; set if the proof of non-revocation is older than the tolerance */
  readonly notRevokedBeforeSec?: number
}

/** One attribute of a proof, not yet as JSON. */
export type ReadAttribute = {
  readonly id: AttributeRequestId
  /** null: issued as absent; otherwise the bytes of its text, possibly not UTF-8 */
  readonly bytes: Uint8Array | null
  readonly issuedAtSec: number
  /** true: the proof shows that its credential is not revoked */
  readonly isNotRevoked: boolean
  readonly notRevokedBeforeSec: number | undefined
}

/** A disclosed attribute in a session result, with its members in the order of the wire format. Secret. */
export type DisclosedAttribute = {
  readonly rawvalue: string | null
  /** by language; each is the raw value, and the key of the default language is the empty string */
  readonly value: { readonly '': string; readonly en: string; readonly nl: string } | null
  readonly id: AttributeRequestId
  readonly status: 'PRESENT' | 'NULL' | 'EXTRA'
  /** Unix seconds, start of a week */
  readonly issuancetime: number
  /** the credential was proved not to be revoked */
  readonly notrevoked?: true
  /** time up to which that proof holds, if it is older than the tolerance; Unix seconds */
  readonly notrevokedbefore?: number
}

/** The base index of the first attribute of a credential type. */
export const FIRST_ATTRIBUTE = 2

/** @returns null if the proof does not disclose `index` */
export function readAttribute(known: KnownProof, index: number): ReadAttribute | null {
  const { proof, metadata, type, notRevokedBeforeSec } = known
  const value = proof.aDisclosed.get(index)
  if (value === undefined) return null
  const isNotRevoked = proof.nonRevocation !== undefined
  const facts = { issuedAtSec: metadata.signingDateSec, isNotRevoked, notRevokedBeforeSec }
  // the metadata attribute represents the credential as a whole (spec/decisions#d8)
  if (index === METADATA) return { id: type.id, bytes: Buffer.from('present'), ...facts }
  const attribute = type.attributes[index - FIRST_ATTRIBUTE]
  if (attribute === undefined) return null
  const bytes = attribute.isRandomBlind
    ? Buffer.from(decodeRandomBlind(value))
    : decodeAttribute(value, metadata.version)
  return { id: attribute.id, bytes, ...facts }
}

/** Base indices of the attributes that a proof discloses, ascending, without the metadata. */
export function disclosedIndices({ proof }: KnownProof): number[] {
  return [...proof.aDisclosed.keys()].filter(index => index >= FIRST_ATTRIBUTE).sort((a, b) => a - b)
}

/** Bytes that are not UTF-8 become U+FFFD.
 *  @param isExtra true: disclosed, but not requested */
export function disclosedAttribute(
  { id, bytes, issuedAtSec, isNotRevoked, notRevokedBeforeSec }: ReadAttribute,
  isExtra: boolean,
): DisclosedAttribute {
  const text = bytes === null ? null : Buffer.from(bytes).toString('utf8')
  return {
    rawvalue: text,
    value: text === null ? null : { '': text, en: text, nl: text },
    id,
    status: isExtra ? 'EXTRA' : text === null ? 'NULL' : 'PRESENT',
    issuancetime: issuedAtSec,
    ...(isNotRevoked && { notrevoked: true }),
    ...(notRevokedBeforeSec !== undefined && { notrevokedbefore: notRevokedBeforeSec }),
  }
}
