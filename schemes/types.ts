/** What exists: schemes, issuers, credential types and keys, as one immutable snapshot that other folders look things up in.
 *  Everything in it comes from files whose hash stands in a signed index, private keys excepted. @module */
import type { KeyObject } from 'node:crypto'
import type { IssuerPrivateKey, IssuerPublicKey } from '../crypto/public-key.ts'
import type { AttributeTypeId, CredentialTypeId, IssuerId, SchemeId } from '../protocol/ids.ts'

/** Language code to text; languages are whatever the scheme uses, often `en` and `nl`. */
export type Translated = Readonly<Record<string, string>>

export type Scheme = {
  readonly id: SchemeId
  readonly name: Translated
  readonly description: Translated
  /** where updates come from */
  readonly url: string
  /** demo schemes carry private keys, and their names start with `Demo ` */
  readonly isDemo: boolean
  /** non-empty: the scheme uses a keyshare server */
  readonly keyshareServer: string
  /** RSA keys of the keyshare server by number (`kid`); only files that stand in the index */
  readonly keyshareKeys: ReadonlyMap<number, KeyObject>
  /** attribute issued at registration with the keyshare server; empty: none */
  readonly keyshareAttribute: string
  /** server of timestamps for signatures over attributes of this scheme; empty: none */
  readonly timestampServer: string
  readonly languages: readonly string[]
  /** when the scheme was signed, Unix seconds */
  readonly timestampSec: number
  readonly issuers: ReadonlyMap<IssuerId, Issuer>
}

export type Issuer = {
  readonly id: IssuerId
  readonly name: Translated
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
  readonly name: Translated
  readonly description: Translated
  /** at most one instance per user */
  readonly isSingleton: boolean
  /** in the order of the keys' bases: position i has base index i + 2 */
  readonly attributes: readonly AttributeType[]
  readonly supportsRevocation: boolean
  readonly revocationServers: readonly string[]
  /** latest revocation events that a session request carries */
  readonly revocationUpdateCount: number
  /** Unix seconds; null: in use */
  readonly deprecatedSinceSec: number | null
  /** what a user must have first: conjunction of disjunctions of conjunctions, all of the same scheme */
  readonly dependencies: readonly (readonly (readonly CredentialTypeId[])[])[]
}

export type AttributeType = {
  readonly id: AttributeTypeId
  readonly name: Translated
  readonly description: Translated
  /** may be issued as null */
  readonly isOptional: boolean
  /** issuer and user choose the value together */
  readonly isRandomBlind: boolean
  /** holds the revocation witness; has no name of its own */
  readonly isRevocation: boolean
  /** place among the attributes when shown; by default the position */
  readonly displayIndex: number
  /** how apps show the value: `yesno`, `portraitPhoto`, ...; empty: as text */
  readonly displayHint: string
}

/** A folder that was left out, and why: no error of a scheme, which is thrown. */
export type IgnoredFolder = { readonly folder: string; readonly reason: string }

/** Private keys by their issuers and counters; secret. */
export type KeyRing = ReadonlyMap<IssuerId, ReadonlyMap<number, IssuerPrivateKey>>

/** One scheme as it was read; secret, because of its private keys. */
export type SchemeContent = {
  /** the place of its folder, also while an older version stands in for it */
  readonly folder: string
  readonly scheme: Scheme
  readonly privateKeys: KeyRing
}

/** Lookups in all schemes. What is looked up without a pause in between is of one version of each scheme; a server that runs (`versions.ts`) looks in the newest
 *  one each time. */
export interface Schemes {
  /** which version of each scheme this is: equal texts are equal versions */
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
  /** Proofs of one group share the response for the secret key: the scheme's id if it uses a keyshare server, else `.` */
  groupOf(scheme: SchemeId): string
}
