/** Schemes, issuers, credential types and keys, as one immutable snapshot for lookups. All of it comes from files in a signed index, except private
 *  keys. @module */
import type { KeyObject } from 'node:crypto'
import type { IssuerPrivateKey, IssuerPublicKey } from '../crypto/public-key.ts'
import type { AttributeTypeId, CredentialTypeId, IssuerId, SchemeId } from '../protocol/ids.ts'

/** Language code to text. The scheme chooses its languages, often `en` and `nl`. */
export type TranslatedText = Readonly<Record<string, string>>

export type Scheme = {
  readonly id: SchemeId
  readonly name: TranslatedText
  readonly description: TranslatedText
  /** address of its updates */
  readonly url: string
  /** true: the scheme contains private keys, and its names start with `Demo ` */
  readonly isDemo: boolean
  /** non-empty: the scheme uses a keyshare server */
  readonly keyshareServer: string
  /** RSA keys of the keyshare server by number (`kid`); only from files in the index */
  readonly keyshareKeys: ReadonlyMap<number, KeyObject>
  /** attribute that is issued at the registration with the keyshare server; empty: none */
  readonly keyshareAttribute: string
  /** timestamp server for signatures with attributes of this scheme; empty: none */
  readonly timestampServer: string
  readonly languages: readonly string[]
  /** when the scheme was signed, Unix seconds */
  readonly timestampSec: number
  readonly issuers: ReadonlyMap<IssuerId, Issuer>
}

export type Issuer = {
  readonly id: IssuerId
  readonly name: TranslatedText
  /** Unix seconds; null: in use */
  readonly deprecatedSinceSec: number | null
  readonly credentialTypes: ReadonlyMap<CredentialTypeId, CredentialType>
  /** by counter, ascending */
  readonly publicKeys: ReadonlyMap<number, IssuerPublicKey>
}

export type CredentialType = {
  readonly id: CredentialTypeId
  /** as in a metadata attribute: lower-case hex, 16 bytes */
  readonly hash: string
  readonly name: TranslatedText
  readonly description: TranslatedText
  /** at most one instance per user */
  readonly isSingleton: boolean
  /** in the order of the keys' bases: position i has base index i + 2 */
  readonly attributes: readonly AttributeType[]
  readonly supportsRevocation: boolean
  readonly revocationServers: readonly string[]
  /** number of latest revocation events in a session request */
  readonly revocationUpdateCount: number
  /** Unix seconds; null: in use */
  readonly deprecatedSinceSec: number | null
  /** credentials that a user needs first: conjunction of disjunctions of conjunctions, all of the same scheme */
  readonly dependencies: readonly (readonly (readonly CredentialTypeId[])[])[]
}

export type AttributeType = {
  readonly id: AttributeTypeId
  readonly name: TranslatedText
  readonly description: TranslatedText
  /** may be issued as null */
  readonly isOptional: boolean
  /** issuer and user choose the value together */
  readonly isRandomBlind: boolean
  /** holds the revocation witness; its name is empty */
  readonly isRevocation: boolean
  /** position in the display order; by default the position in `attributes` */
  readonly displayIndex: number
  /** how apps show the value: `yesno`, `portraitPhoto`, ...; empty: as text */
  readonly displayHint: string
}

/** A folder that was left out, and the reason. This is not an error; a broken scheme throws one. */
export type IgnoredFolder = { readonly folder: string; readonly reason: string }

/** Private keys by issuer and counter; secret. */
export type KeyRing = ReadonlyMap<IssuerId, ReadonlyMap<number, IssuerPrivateKey>>

/** One scheme with its private keys; secret. */
export type SchemeContent = {
  /** its regular folder, even if an older version is read from another one */
  readonly folder: string
  readonly scheme: Scheme
  readonly privateKeys: KeyRing
}

/** Lookups in all schemes. Lookups within one synchronous step see the same version of each scheme. In a running server (`versions.ts`) each lookup
 *  uses the newest version. */
export interface Schemes {
  /** the versions of all schemes; equal texts mean equal versions */
  readonly version: string
  readonly contents: readonly SchemeContent[]
  readonly schemes: ReadonlyMap<SchemeId, Scheme>
  readonly ignored: readonly IgnoredFolder[]
  scheme(id: SchemeId): Scheme | undefined
  issuer(id: IssuerId): Issuer | undefined
  credentialType(id: CredentialTypeId): CredentialType | undefined
  attributeType(id: AttributeTypeId): AttributeType | undefined
  /** @param hex credential type hash of a metadata attribute, lower-case hex */
  credentialTypeByHash(hex: string): CredentialType | undefined
  publicKey(issuer: IssuerId, counter: number): IssuerPublicKey | undefined
  /** secret */
  privateKey(issuer: IssuerId, counter: number): IssuerPrivateKey | undefined
  /** The private key with the highest counter; secret. */
  latestPrivateKey(issuer: IssuerId): IssuerPrivateKey | undefined
  /** Proofs of one group share the response for the secret key. The group is the scheme's id if it uses a keyshare server, otherwise `.`. */
  groupOf(scheme: SchemeId): string
}
