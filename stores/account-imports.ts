/** The part of a store that takes over accounts of another keyshare server. It remembers the source data of each imported account. So an import can be repeated
 *  and continued. It never overwrites an account that was used here since. @module */
import type { AccountAddress, AccountId, AccountRow, LogEntry, MailLink } from './account-store.ts'

/** The memory of the import for one account. It outlives the account, so that a later pass does not restore an account that was deleted here. */
export type ImportedState = {
  /** version of the row that the import wrote last */
  readonly version: number
  /** hash of the data in the source */
  readonly fingerprint: string
  /** number of the last log entry of the source that was copied; 0: none */
  readonly logNumber: number
}

export type ImportTarget = {
  /** the stored row; null: there is none */
  readonly stored: Pick<AccountRow, 'version'> | null
  /** null: the account was never imported */
  readonly imported: ImportedState | null
}

/** An account that replaces the one of the version before; version 1: none is stored. Its addresses and confirmation links replace all stored ones. */
export type ImportedAccount = {
  readonly row: AccountRow
  readonly addresses: readonly AccountAddress[]
  readonly links: readonly MailLink[]
  readonly fingerprint: string
}

/** @param number of the entry in the source, from 1 */
export type ImportedEntry = {
  readonly accountId: AccountId
  readonly number: number
  readonly entry: LogEntry
}

export interface AccountImports {
  /** The stored state of these accounts, in the same order. */
  targets(ids: readonly AccountId[]): Promise<readonly ImportTarget[]>
  /** The accounts that have a token with one of these ids, by the hash of the id (`hashOfTokenId`). An id belongs to one account. */
  owners(tokenIdHashes: readonly string[]): Promise<ReadonlyMap<string, AccountId>>
  /** Writes all accounts in one transaction. @returns false if another version is stored of any of them; then nothing is written */
  putAccounts(accounts: readonly ImportedAccount[]): Promise<boolean>
  /** Appends the entries to the logs of imported accounts, in one transaction. The entries of one account have ascending numbers.
   *  @returns false if an account already has an entry with that number or a later one; then nothing is written */
  addLog(entries: readonly ImportedEntry[]): Promise<boolean>
}
