/** The tables of the SQL stores, as kysely sees them. Times are Unix ms. @module */
import type { Generated } from 'kysely'

export type SessionTable = {
  readonly id: string
  readonly version: number
  readonly chart: number | null
  readonly status: string
  readonly deadline_at: number
  /** next time at which the row needs work without a request; indexed */
  readonly due_at: number
  readonly snapshot: string | null
  readonly claim: string | null
  /** bytes, because the body may contain a NUL, at which some drivers cut a text */
  readonly claimed_body: Uint8Array | null
  readonly progress: string | null
  readonly answered_call: string | null
  readonly answered_version: number | null
  readonly answered_at: number | null
  readonly answer: string | null
  readonly requestor_token_hash: string
  readonly client_token: string
  readonly requestor_token: string
  readonly frontend_token: string
  readonly requestor: string
  readonly profile: string
  readonly request: string
  readonly nonce: string
  readonly pairing_code: string | null
  readonly client_authorization: string | null
  readonly sent_updates: string | null
  readonly result: string | null
}

export type DeliveryTable = {
  readonly id: string
  readonly session: string
  readonly status: string
  readonly version: number
  readonly chart: number
  readonly state: string
  readonly host: string
  readonly requestor: string | null
  readonly owed_at: number
  readonly give_up_at: number
  readonly due_at: number
  readonly attempts: number
  readonly boot_id: string | null
  readonly last_outcome: string | null
  readonly message: string | null
}

export type AccumulatorTable = {
  readonly type: string
  readonly key_counter: number
  readonly version: number
  readonly signed: Uint8Array
  readonly last_index: number
}

/** `e` is big-endian bytes, here and below. */
export type EventTable = {
  readonly type: string
  readonly key_counter: number
  readonly number: number
  readonly e: Uint8Array
  readonly parent_hash: Uint8Array
}

/** Times of records are Unix ns in decimal digits, because they exceed the exact integers of JavaScript. */
export type RecordTable = {
  readonly type: string
  readonly key_counter: number
  /** UTF-8 */
  readonly revocation_key: Uint8Array
  readonly issued_at_ns: string
  readonly e: Uint8Array
  readonly valid_until_ns: string
  /** the same time in seconds, for the index */
  readonly valid_until_sec: number
  /** 0: not revoked */
  readonly revoked_at_ns: string
}

/** The table has one row. */
export type OwnerTable = {
  readonly id: number
  /** the process that holds the file; null: none */
  readonly boot_id: string | null
  readonly renewals: number
  /** identity of that process, if the system provides one (process-identity.ts) */
  readonly process: string | null
  /** the latest time by the count of its process, and by the system clock at the same moment */
  readonly now_at: number | null
  readonly wall_at: number | null
  /** how far the times of accounts were moved since the file was made, ms */
  readonly moved_ms: number
}

export type AccountTable = {
  readonly id: string
  readonly version: number
  readonly chart: number | null
  readonly user_name: string
  readonly language: string
  readonly record: Uint8Array | null
  readonly token_id_hash: string | null
  readonly attempts: number
  /** 0: there is no block */
  readonly blocked_until: number
  readonly delete_at: number | null
  readonly snapshot: string | null
  readonly challenge: Uint8Array | null
  /** the last key of the pending commitment, to which the next two columns belong too; null: none is pending */
  readonly last_key: string | null
  readonly hashed_comms: Uint8Array | null
  readonly sealed_randomizer: Uint8Array | null
  /** next time at which a challenge or a commitment ends; indexed */
  readonly due_at: number | null
  readonly seen_at: number
}

/** Rows that belong to an account are deleted with it, here and below. */
export type LogTable = {
  readonly account_id: string
  readonly at: number
  readonly event: string
  readonly param: number | null
}

export type AddressTable = {
  readonly account_id: string
  readonly address: string
  readonly delete_at: number | null
}

export type LinkTable = {
  readonly token_hash: string
  readonly purpose: string
  readonly address: string
  readonly account_id: string | null
  readonly made_at: number
  readonly ends_at: number
}

export type ImportTable = {
  readonly account_id: string
  readonly version: number
  readonly fingerprint: string
  readonly log_number: number
}

export type OidcTable = {
  readonly kind: string
  readonly id: string
  readonly grant_id: string | null
  readonly uid: string | null
  readonly sealed: string
  readonly expires_at: number
  readonly version: number
}

export type Tables = {
  readonly sessions: SessionTable
  /** `number` has the order of insertion */
  readonly deliveries: DeliveryTable & { readonly number: Generated<number> }
  readonly accumulators: AccumulatorTable
  readonly revocation_events: EventTable
  readonly issuance_records: RecordTable & { readonly id: Generated<number> }
  readonly owner: OwnerTable
  readonly accounts: AccountTable
  /** `number` has the order of insertion */
  readonly account_log: LogTable & { readonly number: Generated<number> }
  readonly account_addresses: AddressTable
  readonly mail_links: LinkTable
  readonly oidc_records: OidcTable
  readonly account_imports: ImportTable
}
