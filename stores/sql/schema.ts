/** The tables of the SQL store, as kysely sees them. Times are Unix ms. @module */
import type { Generated } from 'kysely'

export type SessionTable = {
  readonly id: string
  readonly version: number
  readonly chart: number | null
  readonly status: string
  readonly deadline_at: number
  /** when time alone next causes something: the index of deadlines */
  readonly due_at: number
  readonly snapshot: string | null
  readonly claim: string | null
  /** bytes, since what an app sent may hold a NUL, at which some drivers cut a text */
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
  readonly owed_at: number
  readonly give_up_at: number
  readonly due_at: number
  readonly attempts: number
  readonly boot_id: string | null
  readonly last_outcome: string | null
  readonly message: string | null
}

export type Tables = {
  readonly sessions: SessionTable
  /** `number` is in the order of insertion */
  readonly deliveries: DeliveryTable & { readonly number: Generated<number> }
}
