/** What the other parts of a server ask of revocation (`spec/cryptography.md` 14): the latest accumulators and events of a credential type, witnesses for
 *  new credentials, and revoking. Whether this server is the authority of a type, or asks one, shows only in who can issue and revoke. No text from here
 *  quotes a revocation key. @module */
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import type { CredentialTypeId } from '../../protocol/ids.ts'

/** How often an authority signs its accumulators anew (14.2). */
export const SIGNED_ANEW_SEC = 60

/** What the operator says of a credential type (`spec/schemes-and-cli.md` 15). */
export type RevocationSettings = {
  /** makes the accumulators, keeps the issuance records, revokes; implies `isServer` */
  readonly isAuthority: boolean
  /** serves updates to wallet apps and other servers */
  readonly isServer: boolean
  /** the address of the revocation server to ask, without a slash at the end; goes before those of the scheme; null: those of the scheme */
  readonly serverUrl: string | null
  /** how old what is known may be; null: 600 s */
  readonly toleranceSec: number | null
  /** hears of new accumulators from that server's event stream, too */
  readonly hasStream: boolean
}

/** A credential that is about to be signed. */
export type CredentialToIssue = {
  readonly type: CredentialTypeId
  /** the counter of the issuer's key that signs it */
  readonly keyCounter: number
  /** under which it can be revoked; personal */
  readonly revocationKey: string
  readonly issuedAtSec: number
  readonly validUntilSec: number
}

export interface Revocation {
  /** Whether a credential of this type can be issued here: this is the authority, or its server is configured. (A server that the scheme alone names
   *  answers whoever verifies; that it takes records from this issuer is for the operator to say.) */
  canIssue(type: CredentialTypeId): boolean
  /** By key counter: the latest accumulator and at most the last `revocationUpdateCount` events of the scheme; refreshed first when older than
   *  half of the tolerance. What is known is given if it cannot be refreshed, or not within 2 s.
   *  @param toleranceSec 0: as `toleranceSec()`
   *  @throws {RevocationError} if there never was any */
  updates(type: CredentialTypeId, toleranceSec: number): Promise<ReadonlyMap<number, RevocationUpdate>>
  /** Unix seconds of the last time that the authority said that what is known is the latest; null: never, or this is the authority, whose
   *  accumulators have their time in them. */
  refreshedAtSec(type: CredentialTypeId, keyCounter: number): number | null
  /** The tolerance of the settings, else `DEFAULT_TOLERANCE_SEC`. */
  toleranceSec(type: CredentialTypeId): number
  /** A witness of its own for a credential, secret; its record is stored before this returns: here, or by the authority.
   *  @throws {IssuanceFailed} */
  issue(credential: CredentialToIssue, signal?: AbortSignal): Promise<Witness>
  /** Revokes what was issued under the key and is not revoked, all of it or none.
   *  @param issuedAtNs only what was issued then; null: whenever it was
   *  @throws {UnknownRevocationKey} if there is nothing
   *  @throws {RevocationError} if this is not the authority */
  revoke(type: CredentialTypeId, revocationKey: string, issuedAtNs: bigint | null): Promise<void>
  /** The updates for other servers and wallet apps; null: this server serves no updates of the type. */
  served(type: CredentialTypeId): ServedRevocation | null
  close(): Promise<void>
}

/** What the public endpoints of one credential type answer from (14.7). */
export interface ServedRevocation {
  /** By key counter.
   *  @param count of the last events; 0: all
   *  @throws {RevocationError} if there is nothing yet */
  updates(count: number): Promise<ReadonlyMap<number, RevocationUpdate>>
  /** Events with min <= index < max, in order.
   *  @throws {RevocationError} if there are none */
  events(keyCounter: number, min: number, max: number): Promise<RevocationUpdate['events']>
  /** Stores what another server has issued; null: not the authority.
   *  @param signed record, as it was received
   *  @throws {InvalidRequest} for what cannot be read
   *  @throws {Unauthorized} for a record that the issuer has not signed
   *  @throws {RevocationError} for one of something else */
  readonly addRecord: ((keyCounter: number, signed: Uint8Array) => Promise<void>) | null
  /** Every new accumulator from now on, with its new events. @returns stop */
  watch(listener: (update: RevocationUpdate) => void): () => void
}
