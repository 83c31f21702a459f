/** The interface of revocation for the other parts of a server (spec/cryptography#14): the latest accumulators and events of a credential type, witnesses
 *  for new credentials, and revoking. A server may be the authority of a type or follow one. This affects only the ability to issue and to revoke. No text from
 *  here contains a revocation key. @module */
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import type { CredentialTypeId } from '../../protocol/ids.ts'

/** The interval at which an authority signs its accumulators again (14.2). */
export const SIGNED_ANEW_SEC = 60

/** The operator's settings of a credential type (spec/schemes-and-cli#15). */
export type RevocationSettings = {
  /** creates the accumulators, keeps the issuance records, revokes; implies `isServer` */
  readonly isAuthority: boolean
  /** serves updates to wallet apps and other servers */
  readonly isServer: boolean
  /** the revocation server to use instead of those of the scheme, without a trailing slash; null: those of the scheme */
  readonly serverUrl: string | null
  /** maximum age of the known accumulator; null: 600 s */
  readonly toleranceSec: number | null
  /** also receives new accumulators from that server's event stream */
  readonly hasStream: boolean
}

/** A credential that is about to be signed. */
export type CredentialToIssue = {
  readonly type: CredentialTypeId
  /** counter of the issuer's key that signs it */
  readonly keyCounter: number
  /** key under which it can be revoked; personal data */
  readonly revocationKey: string
  readonly issuedAtSec: number
  readonly validUntilSec: number
}

export interface Revocation {
  /** True if credentials of this type can be issued here: this server is the authority, or the authority's server is configured. A server that only the scheme
   *  names is not enough. It serves verifiers, but only the operator knows whether it accepts records of this issuer. */
  canIssue(type: CredentialTypeId): boolean
  /** By key counter: the latest accumulator and at most the last `revocationUpdateCount` events of the scheme. They are refreshed first if they are older than
   *  half of the tolerance. If the refresh fails or takes more than 2 s, the known ones are returned.
   *  @param toleranceSec 0: as `toleranceSec()`
   *  @throws {RevocationError} if none was ever known */
  updates(type: CredentialTypeId, toleranceSec: number): Promise<ReadonlyMap<number, RevocationUpdate>>
  /** Unix seconds at which the authority last confirmed the known accumulator as the latest. Null: never, or this server is the authority, whose accumulators
   *  contain their time. */
  refreshedAtSec(type: CredentialTypeId, keyCounter: number): number | null
  /** The tolerance in the settings, else `DEFAULT_TOLERANCE_SEC`. */
  toleranceSec(type: CredentialTypeId): number
  /** A new witness for one credential; secret. Its record is stored before this returns: here, or by the authority.
   *  @throws {IssuanceFailedError} */
  issue(credential: CredentialToIssue, signal?: AbortSignal): Promise<Witness>
  /** Revokes the unrevoked credentials that were issued under the key, all or none.
   *  @param issuedAtNs only credentials that were issued then; null: at any time
   *  @throws {UnknownRevocationKeyError} if there are none
   *  @throws {RevocationError} if this server is not the authority */
  revoke(type: CredentialTypeId, revocationKey: string, issuedAtNs: bigint | null): Promise<void>
  /** The updates for other servers and wallet apps; null: this server serves no updates of the type. */
  served(type: CredentialTypeId): ServedRevocation | null
  close(): Promise<void>
}

/** The operations behind the public endpoints of one credential type (14.7). */
export interface ServedRevocation {
  /** By key counter.
   *  @param count number of the last events; 0: all
   *  @throws {RevocationError} if there is no accumulator yet */
  updates(count: number): Promise<ReadonlyMap<number, RevocationUpdate>>
  /** Events with min <= index < max, in order.
   *  @throws {RevocationError} if there are none */
  events(keyCounter: number, min: number, max: number): Promise<RevocationUpdate['events']>
  /** Stores the record of a credential that another server has issued; null: this server is not the authority.
   *  @param signed record, as received
   *  @throws {InvalidRequestError} for unreadable bytes
   *  @throws {UnauthorizedError} for a record that the issuer has not signed
   *  @throws {RevocationError} for a record that belongs elsewhere */
  readonly addRecord: ((keyCounter: number, signed: Uint8Array) => Promise<void>) | null
  /** Every new accumulator from now on, with its new events. @returns stop */
  follow(listener: (update: RevocationUpdate) => void): () => void
}
