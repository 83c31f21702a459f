/** Values that are too long for their key: what is signed of an attribute of more than Lm bits is its hash (cryptography note, section 5.1). Its
 *  holder can disclose that hash as if it were the attribute, and the proof is right. Values are texts, and a hash is none (D25). @module */
import { isUtf8 } from 'node:buffer'
import { decodeAttribute, isHashed, PRESENCE_BIT_FROM } from '../crypto/attribute.ts'
import { fitsBits } from '../crypto/bytes.ts'
import type { CredentialToSign } from '../crypto/issuance.ts'
import { systemParameters } from '../crypto/public-key.ts'
import { disclosedIndices, FIRST_ATTRIBUTE, type KnownProof } from './disclosed.ts'

/** The most bits of a value that need not be UTF-8: one hash in 2^64 has no more. */
const MOST_BITS_OF_ANY_BYTES = 192

/** Whether a proof discloses a hash in the place of a value, so that what it says is nothing that an issuer has signed. Only for a proof that is
 *  right. */
export function disclosesHash(known: KnownProof): boolean {
  return disclosedIndices(known).some(index => isHashAt(known, index))
}

/** Whether the attribute at that index is a hash: of attributes that are no texts nobody can say. A text without a presence bit looks like any number. */
function isHashAt({ proof, metadata, type }: KnownProof, index: number): boolean {
  const value = proof.aDisclosed.get(index) ?? 0n
  const attribute = type.attributes[index - FIRST_ATTRIBUTE]
  const isText =
    metadata.version >= PRESENCE_BIT_FROM && !attribute?.isRandomBlind && !attribute?.isRevocation
  if (!isText || value === 0n) return false
  const bytes = decodeAttribute(value, metadata.version)
  return bytes === null || (!fitsBits(value, MOST_BITS_OF_ANY_BYTES) && !isUtf8(bytes))
}

/** Whether a credential has a value of which its hash is signed. */
export function hasHashedValue({ attributes, key }: Pick<CredentialToSign, 'attributes' | 'key'>): boolean {
  const { Lm } = systemParameters(key.n)
  return attributes.some(attribute => isHashed(attribute, Lm))
}
