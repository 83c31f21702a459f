/** A stored credential, combined with its type and key from the schemes (spec/cryptography#5, spec/interface#2.4). @module */
import { decodeAttribute, decodeRandomBlind } from '../../crypto/attribute.ts'
import { METADATA } from '../../crypto/disclosure.ts'
import { decodeMetadata, type Metadata } from '../../crypto/metadata.ts'
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import { type AttributeRequestId, isCredentialTypeId, issuerOf } from '../../protocol/ids.ts'
import type { AttributeType, CredentialType, Schemes } from '../../schemes/types.ts'
import type { StoredCredential } from './stored.ts'

/** The index disclosed if a request names the credential itself: the metadata (spec/decisions#d8). */
const CREDENTIAL_ITSELF = METADATA
/** The base index of the first attribute of a credential type. */
const FIRST_ATTRIBUTE = 2

export type Credential = StoredCredential & {
  readonly type: CredentialType
  readonly metadata: Metadata
  readonly key: IssuerPublicKey
}

/** The stored credentials whose type and key are in the schemes. The others are left out. */
export function knownCredentials(stored: readonly StoredCredential[], schemes: Schemes): Credential[] {
  return stored.flatMap(credential => {
    const known = recognise(credential, schemes)
    return known === null ? [] : [known]
  })
}

/** @returns null if the metadata, the type or the issuer's key is unknown */
export function recognise(stored: StoredCredential, schemes: Schemes): Credential | null {
  const [first] = stored.attributes
  if (first === undefined) return null
  const metadata = readMetadata(first)
  const type = metadata && schemes.credentialTypeByHash(metadata.credentialTypeHash)
  const key = type && schemes.publicKey(issuerOf(type.id), metadata.keyCounter)
  return key ? { ...stored, type, metadata, key } : null
}

function readMetadata(attribute: bigint): Metadata | null {
  try {
    return decodeMetadata(attribute)
  } catch (error) {
    if (error instanceof RangeError) return null // a later version of the metadata
    throw error
  }
}

/** Base index of a requested attribute, or null if this instance lacks it or must not show it. Revocation attributes are never shown: they would identify their
 *  holder to every requestor. A credential that is older than an attribute of its type lacks the attribute. */
export function indexOf(credential: Credential, id: AttributeRequestId): number | null {
  if (isCredentialTypeId(id)) return CREDENTIAL_ITSELF
  const position = credential.type.attributes.findIndex(attribute => attribute.id === id)
  const index = position + FIRST_ATTRIBUTE
  const isHere = position >= 0 && index <= credential.attributes.length
  return isHere && credential.type.attributes[position]?.isRevocation === false ? index : null
}

/** The value that a requestor sees if `index` is disclosed. Null: the attribute is absent.
 *  @param index from `indexOf` */
export function shownBytes(credential: Credential, index: number): Uint8Array | null {
  if (index === CREDENTIAL_ITSELF) return Buffer.from('present')
  const type: AttributeType | undefined = credential.type.attributes[index - FIRST_ATTRIBUTE]
  const attribute = credential.attributes[index - 1]
  if (type === undefined || attribute === undefined)
    throw new RangeError(`expected an index of ${credential.type.id}, got ${index}`)
  if (type.isRandomBlind) return Buffer.from(decodeRandomBlind(attribute))
  return decodeAttribute(attribute, credential.metadata.version)
}

/** The same value as text, for display. Bytes that are not UTF-8 become U+FFFD. */
export function shownText(credential: Credential, index: number): string | null {
  const bytes = shownBytes(credential, index)
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** False at the second of expiry (spec/cryptography#12.3). */
export function isExpired(credential: Credential, nowSec: number): boolean {
  return credential.metadata.expiresAtSec < nowSec
}
