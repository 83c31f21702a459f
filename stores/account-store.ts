/** The accounts of a keyshare server (spec/keyshare-server#12). Only `commit` of the store changes a row. @module */

import type { MailLanguage } from '../accounts/mails/words/languages.ts'
import type { StoredLogin } from '../machines/login-snapshot.ts'

/** Internal name of an account: the hash of its user name, which may appear in a log. */
export type AccountId = string

/** A commitment that is waiting for its response. */
export type StoredCommitment = {
  /** the last key of the request, for which the answer contains P: `<scheme>.<issuer>-<counter>` */
  readonly lastKey: string
  /** hash of the input that the app will send, 32 bytes; null: first version of the protocol */
  readonly hashedComms: Uint8Array | null
  /** w_k, encrypted for this account (accounts/records.ts) */
  readonly sealedRandomizer: Uint8Array
}

/** Counters, times and secrets are columns. The snapshot holds the other state of the chart. */
export type AccountRow = StoredLogin & {
  readonly id: AccountId
  /** counts commits, from 1 */
  readonly version: number
  /** number of the chart version that wrote the snapshot; null: closed without its chart */
  readonly chart: number | null
  /** fixed when the account is registered */
  readonly userName: string
  /** the language of its mails; fixed when the account is registered */
  readonly language: MailLanguage
  /** encrypted secrets (accounts/records.ts); null: the owner has disabled the account */
  readonly record: Uint8Array | null
  /** hash of the token id in the record (`hashOfTokenId`); changes with the record, null if the record is null */
  readonly tokenIdHash: string | null
  /** 32 bytes; null: no challenge is pending */
  readonly challenge: Uint8Array | null
  readonly commitment: StoredCommitment | null
  /** Unix ms of the earlier end of the challenge and the commitment; null: neither is pending */
  readonly dueAt: number | null
  /** Unix ms of the latest use: registration, login, response, visit to the account page */
  readonly seenAt: number
}

/** An account in a list: without large values and without secrets. */
export type ListedAccount = Pick<
  AccountRow,
  'id' | 'version' | 'chart' | 'snapshot' | 'attempts' | 'blockedUntil' | 'deleteAt' | 'dueAt' | 'seenAt'
>

/** An event of an account, for its owner. It says nothing about attributes or parties, which the server does not know (spec/keyshare-server#12.1). */
export type LogEvent =
  | 'PIN_CHECK_REFUSED'
  | 'PIN_CHECK_SUCCESS'
  | 'PIN_CHECK_FAILED'
  | 'PIN_CHECK_BLOCKED'
  | 'SESSION'

export type LogEntry = {
  /** Unix ms */
  readonly at: number
  readonly event: LogEvent
  /** number of tries that are left, or seconds of the block; null: the event has no number */
  readonly param: number | null
}

/** A link that was mailed to an address and can be used once. The link contains a token, the store only its hash. */
export type MailLink = {
  /** `hashOfToken` of the token in the link */
  readonly tokenHash: string
  readonly purpose: 'confirmation' | 'login'
  readonly address: string
  /** account that the address will belong to; null: a login, for all accounts with that address */
  readonly accountId: AccountId | null
  /** Unix ms */
  readonly madeAt: number
  /** Unix ms */
  readonly endsAt: number
}

/** A confirmed address of an account. */
export type AccountAddress = {
  readonly accountId: AccountId
  readonly address: string
  /** Unix ms at which it is deleted; null: it is kept */
  readonly deleteAt: number | null
}

/** Rows that the commit of an account writes in addition to its own row. They are deleted with the account. */
export type AccountInserts = {
  readonly log?: readonly LogEntry[]
  readonly links?: readonly MailLink[]
  /** `tokenHash` of the link that this commit uses and deletes; if it is no longer stored, the commit fails like one of a wrong version */
  readonly usedLink?: string
  /** each is added, or replaces the same address of the account */
  readonly addresses?: readonly AccountAddress[]
}

export interface AccountStore {
  /** How far all times of accounts were moved since the store was made, ms (sqlite/owner/kept-times.ts). It is fixed while the store is open. */
  readonly movedMs: number
  load(id: AccountId): Promise<AccountRow | null>
  /** @returns the account whose record contains the token id with this hash */
  findByTokenIdHash(hash: string): Promise<AccountId | null>
  /** ids whose challenge or commitment ends at `at` or before, the oldest first; rows of a chart newer than `chart` are left out */
  due(at: number, chart: number, limit: number): Promise<readonly AccountId[]>
  /** Unix ms of the first such end after `at`, or null */
  nextDueAfter(at: number, chart: number): Promise<number | null>
  /** ids with `deleteAt` at `at` or before, the earliest first */
  toDelete(at: number, limit: number): Promise<readonly AccountId[]>
  /** ids of accounts that have an address, are in use (`record` and no `deleteAt`), and were last seen before `seenBefore`; the longest unused first */
  unused(seenBefore: number, limit: number): Promise<readonly AccountId[]>
  addressesOf(id: AccountId): Promise<readonly AccountAddress[]>
  /** ids of accounts that are not disabled and have this confirmed address */
  withAddress(address: string): Promise<readonly AccountId[]>
  /** entries of the account, the newest first; the first `after` entries are skipped */
  log(id: AccountId, after: number, limit: number): Promise<readonly LogEntry[]>
  /** by the hash of its token; may have expired */
  link(tokenHash: string): Promise<MailLink | null>
  /** number of unused links to the address that were made after `madeAfter` */
  countLinks(address: string, purpose: MailLink['purpose'], madeAfter: number): Promise<number>
  /** Adds the link of a login in a commit of its own. */
  addLink(link: MailLink): Promise<void>
  /** Deletes the link. @returns false: it was used before */
  useLink(tokenHash: string): Promise<boolean>
  /** Number of stored accounts. */
  count(): Promise<number>
  /** The accounts that were used last, the most recent first. */
  newest(limit: number): Promise<readonly ListedAccount[]>
  /** Deletes links that ended at `at` or before, and addresses whose `deleteAt` is reached; versions do not change. */
  tidy(at: number): Promise<void>
}
