/** What is remembered of the accounts of a keyshare server (`spec/keyshare-server.md` 12). A row changes only by `commit` of the store. @module */

import type { MailLanguage } from '../accounts/mails/texts.ts'
import type { StoredLogin } from '../machines/login-snapshot.ts'

/** Internal name of an account: the hash of its user name, so that it may stand in a log. */
export type AccountId = string

/** A commitment that waits for its response. */
export type StoredCommitment = {
  /** the last key of the request, whose P an answer says: `<scheme>.<issuer>-<counter>` */
  readonly lastKey: string
  /** hash of the input that the app will send, 32 bytes; null: first version of the protocol */
  readonly hashedComms: Uint8Array | null
  /** w_k, sealed for this account (accounts/records.ts) */
  readonly sealedRandomizer: Uint8Array
}

/** Counters, times and secrets are columns; only the other facts of the chart are in the snapshot. */
export type AccountRow = StoredLogin & {
  readonly id: AccountId
  /** counts commits, from 1 */
  readonly version: number
  /** number of the chart that wrote the snapshot; null: closed without its chart */
  readonly chart: number | null
  /** fixed when the account is registered */
  readonly userName: string
  /** the language of its mails; fixed when the account is registered */
  readonly language: MailLanguage
  /** sealed secrets (accounts/records.ts); null: the owner has disabled the account */
  readonly record: Uint8Array | null
  /** the hash of the token id in the record (`hashOfTokenId`); changes with the record, null with it */
  readonly tokenIdHash: string | null
  /** 32 bytes; null: none is pending */
  readonly challenge: Uint8Array | null
  readonly commitment: StoredCommitment | null
  /** Unix ms of the earlier end of the challenge and of the commitment; null: nothing is pending */
  readonly dueAt: number | null
  /** Unix ms of the latest use: registration, login, response, visit to the account page */
  readonly seenAt: number
}

/** An account as a list shows it: nothing large is read, and nothing secret. */
export type ListedAccount = Pick<
  AccountRow,
  'id' | 'version' | 'chart' | 'snapshot' | 'attempts' | 'blockedUntil' | 'deleteAt' | 'dueAt' | 'seenAt'
>

/** What happened to an account, for its owner; nothing about attributes or parties, of which the server knows nothing (note 12.1). */
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
  /** tries that are left, or seconds of the block; null: nothing is counted */
  readonly param: number | null
}

/** What is in the mail for an address: whoever follows the link may do what it is for, once. The link holds a token, the store its hash. */
export type MailLink = {
  /** `hashOfToken` of the token in the link */
  readonly tokenHash: string
  readonly purpose: 'confirmation' | 'login'
  readonly address: string
  /** whose address it will be; null: a login, for all accounts with that address */
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
  /** Unix ms from which on it is deleted; null: it is kept */
  readonly deleteAt: number | null
}

/** What the commit of an account writes besides its row. All of it is deleted with the row. */
export type AccountInserts = {
  readonly log?: readonly LogEntry[]
  readonly links?: readonly MailLink[]
  /** `tokenHash` of the link that is used by this commit, and gone with it; a link that is not stored any more: another version */
  readonly usedLink?: string
  /** added, or set if the account has it */
  readonly addresses?: readonly AccountAddress[]
}

export interface AccountStore {
  load(id: AccountId): Promise<AccountRow | null>
  /** @returns the account whose record holds the token id with that hash */
  findByTokenIdHash(hash: string): Promise<AccountId | null>
  /** ids whose challenge or commitment ends at most at `at`, the oldest first; rows of a chart newer than `chart` are left out */
  due(at: number, chart: number, limit: number): Promise<readonly AccountId[]>
  /** Unix ms of the first of those ends after `at`, or null */
  nextDueAfter(at: number, chart: number): Promise<number | null>
  /** ids with `deleteAt` at most `at`, the earliest first */
  toDelete(at: number, limit: number): Promise<readonly AccountId[]>
  /** ids of accounts that have an address, are in use (`record` and no `deleteAt`), and were last seen before that, the
   *  longest unused first */
  unused(seenBefore: number, limit: number): Promise<readonly AccountId[]>
  addressesOf(id: AccountId): Promise<readonly AccountAddress[]>
  /** ids of accounts, in use, of which that is a confirmed address */
  withAddress(address: string): Promise<readonly AccountId[]>
  /** entries of that account, the newest first, after that many */
  log(id: AccountId, after: number, limit: number): Promise<readonly LogEntry[]>
  /** by the hash of its token, whether or not it has ended */
  link(tokenHash: string): Promise<MailLink | null>
  /** links to that address that were made after `madeAfter` and not used */
  countLinks(address: string, purpose: MailLink['purpose'], madeAfter: number): Promise<number>
  /** A commit of its own, for a login. */
  addLink(link: MailLink): Promise<void>
  /** Deletes that link. @returns false: it was used before */
  useLink(tokenHash: string): Promise<boolean>
  /** Accounts that are stored. */
  count(): Promise<number>
  /** Those that were used last, the last one first. */
  newest(limit: number): Promise<readonly ListedAccount[]>
  /** Deletes links that ended before `at`, and addresses whose time has come; no version changes. */
  tidy(at: number): Promise<void>
}
