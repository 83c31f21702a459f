/** Records of the OpenID provider: codes, tokens, browser sessions, logins and signing keys. The store does not know their meaning. It holds hashes of
 *  ids and sealed payloads, so a copy of the store reveals no token and no claim. Only `commit` of the store changes a record. @module */

export type OidcRecord = {
  /** the model of the provider, such as `AuthorizationCode` or `Session`, or a kind of this program: `Login`, `Keys` */
  readonly kind: string
  /** hash of the id; ids are unique within a kind */
  readonly id: string
  /** hash of the grant's id; null: the record belongs to no grant. The records of a grant are deleted together */
  readonly grant: string | null
  /** hash of a second name by which the record is found; null: there is none */
  readonly uid: string | null
  /** the payload, sealed by actors/oidc */
  readonly sealed: string
  /** Unix ms by the time of the store; `NEVER`: the record does not expire */
  readonly expiresAt: number
  /** counts commits, from 1 */
  readonly version: number
}

/** The time at which a permanent record expires. */
export const NEVER = Number.MAX_SAFE_INTEGER

export type OidcName = Pick<OidcRecord, 'kind' | 'id'>

/** A change of one record, if its version is the named one. */
export type OidcChange = OidcName & {
  /** the version that is stored; 0: there is no such record */
  readonly version: number
  /** the new record; null: the record is deleted */
  readonly row: OidcRecord | null
}

export type OidcCommit = {
  readonly changes?: readonly OidcChange[]
  /** after the changes, all records of this grant are deleted */
  readonly withoutGrant?: string
}

export interface OidcStore {
  /** The record, also if it has expired and is not deleted yet. On a Redis server an expired record may be gone already. */
  find(kind: string, id: string): Promise<OidcRecord | null>
  /** As `find`; if several records share the uid, the one that expires last. */
  findByUid(kind: string, uid: string): Promise<OidcRecord | null>
  /** Deletes records that expire at or before `at`, the earliest first.
   *  @param most number of records that one call deletes
   *  @returns true if it deleted any */
  dropExpired(at: number, most: number): Promise<boolean>
  /** Number of stored records, including expired ones. */
  count(): Promise<number>
}
