/** Values that are too long for their key: for an attribute of more than Lm bits, the issuer signs its hash (spec/cryptography#5.1). The
 *  holder can disclose that hash as if it were the attribute, and the proof verifies. Such hashes are recognised because values are texts and a hash
 *  is almost never UTF-8 of printable characters (spec/decisions#d25). @module */
import { isUtf8 } from 'node:buffer'
import { decodeAttribute, encodeAttribute, isHashed, PRESENCE_BIT_FROM } from '../crypto/attribute.ts'
import { fitsBits } from '../crypto/bytes.ts'
import { HASH_BITS } from '../crypto/challenge.ts'
import type { CredentialToSign } from '../crypto/issuance.ts'
import { type IssuerPublicKey, systemParameters } from '../crypto/public-key.ts'
import { InvalidRequestError } from '../protocol/errors.ts'
import type { CredentialRequest } from '../protocol/request-members.ts'
import { disclosedIndices, FIRST_ATTRIBUTE, type KnownProof } from './disclosed.ts'

/** `refuse`: the server issues no value that is signed as its hash. It also takes no disclosed text of 193 bits or more, because that may be a hash. */
export type LongValues = 'allow' | 'refuse'

/** The maximum size in bits of a value that need not be a printable text; only one hash in 2^64 is as short. */
const MOST_BITS_OF_ANY_BYTES = 192
/** Control characters, and code points that are not assigned or for private use. Line breaks and tabs are control characters too. */
const NO_TEXT = /[\p{Cc}\p{Cn}\p{Co}]/u

/** True if a proof discloses a hash in the place of a value, which the issuer never signed as a value. Only for a proof that was verified. */
export function disclosesHash(known: KnownProof, longValues: LongValues): boolean {
  return disclosedIndices(known).some(index => isHashAt(known, index, longValues))
}

/** True if the attribute at this index is a hash. Always false for attributes that are not texts. False also for a text without a presence bit, which
 *  looks like any number. */
function isHashAt({ proof, metadata, type }: KnownProof, index: number, longValues: LongValues): boolean {
  const value = proof.aDisclosed.get(index) ?? 0n
  const attribute = type.attributes[index - FIRST_ATTRIBUTE]
  const isText =
    metadata.version >= PRESENCE_BIT_FROM && !attribute?.isRandomBlind && !attribute?.isRevocation
  if (!isText || value === 0n) return false
  if (longValues === 'refuse' && !fitsBits(value, MOST_BITS_OF_ANY_BYTES)) return true
  return countsAsHash(value, metadata.version)
}

function countsAsHash(value: bigint, metadataVersion: number): boolean {
  const bytes = decodeAttribute(value, metadataVersion)
  if (bytes === null) return true
  if (fitsBits(value, MOST_BITS_OF_ANY_BYTES)) return false
  return !isUtf8(bytes) || (fitsBits(value, HASH_BITS) && NO_TEXT.test(Buffer.from(bytes).toString('utf8')))
}

/** True if a credential has a value whose hash is signed. */
export function hasHashedValue({ attributes, key }: Pick<CredentialToSign, 'attributes' | 'key'>): boolean {
  return attributes.some(attribute => isHashed(attribute, systemParameters(key.n).Lm))
}

/** True if a requested credential has a text that counts as a hash when it is disclosed, although the key signs the text itself. */
export function hasTextLikeHash({ attributes }: CredentialRequest, key: IssuerPublicKey): boolean {
  const { Lm } = systemParameters(key.n)
  const values = Object.values(attributes).map(text => encodeAttribute(text))
  return values.some(value => !isHashed(value, Lm) && countsAsHash(value, PRESENCE_BIT_FROM))
}

/** Checks that the key signs each value itself, and not its hash. The error names the attribute, and no value.
 *  @throws {InvalidRequestError} */
export function requireShortValues(
  { attributes, credential }: CredentialRequest,
  key: IssuerPublicKey,
): void {
  const { Lm } = systemParameters(key.n)
  for (const [name, value] of Object.entries(attributes))
    if (hasHashedValue({ attributes: [encodeAttribute(value)], key }))
      throw new InvalidRequestError(
        `attribute ${credential}.${name}: expected a text of at most ${Lm - 1} bits (${Math.floor((Lm - 1) / 8)} bytes, or one more if it begins with an ASCII character), because long_values is refuse, got ${Buffer.byteLength(value)} bytes`,
      )
}
