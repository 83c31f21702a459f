/** Converts rows of accounts and their data to table rows and back. @module */
import type { MailLanguage } from '../../accounts/mails/words/languages.ts'
import type {
  AccountAddress,
  AccountId,
  AccountRow,
  ListedAccount,
  LogEntry,
  LogEvent,
  MailLink,
  StoredCommitment,
} from '../account-store.ts'
import { asJson, fromJson } from './rows.ts'
import type { AccountTable, AddressTable, LinkTable, LogTable } from './schema.ts'

/** The columns that a commit writes; the other columns are fixed at registration. */
export function accountChangesOf(row: AccountRow) {
  const { version, chart, record, attempts, challenge, commitment } = row
  return {
    version,
    chart,
    record,
    attempts,
    challenge,
    token_id_hash: row.tokenIdHash,
    blocked_until: row.blockedUntil,
    delete_at: row.deleteAt,
    snapshot: asJson(row.snapshot),
    last_key: commitment?.lastKey ?? null,
    hashed_comms: commitment?.hashedComms ?? null,
    sealed_randomizer: commitment?.sealedRandomizer ?? null,
    due_at: row.dueAt,
    seen_at: row.seenAt,
  }
}

export function accountToTable(row: AccountRow): AccountTable {
  const { id, userName: user_name, language } = row
  return { id, user_name, language, ...accountChangesOf(row) }
}

export type ListedAccountTable = Pick<
  AccountTable,
  'id' | 'version' | 'chart' | 'snapshot' | 'attempts' | 'blocked_until' | 'delete_at' | 'due_at' | 'seen_at'
>

export function listedAccountFromTable(stored: ListedAccountTable): ListedAccount {
  const { id, version, chart, attempts } = stored
  return {
    id,
    version,
    chart,
    attempts,
    blockedUntil: stored.blocked_until,
    deleteAt: stored.delete_at,
    snapshot: fromJson(stored.snapshot),
    dueAt: stored.due_at,
    seenAt: stored.seen_at,
  }
}

export function accountFromTable(stored: AccountTable): AccountRow {
  return {
    ...listedAccountFromTable(stored),
    userName: stored.user_name,
    language: stored.language as MailLanguage, // written by `accountToTable`
    record: bytesIn(stored.record),
    tokenIdHash: stored.token_id_hash,
    challenge: bytesIn(stored.challenge),
    commitment: commitmentIn(stored),
  }
}

function commitmentIn(stored: AccountTable): StoredCommitment | null {
  const { last_key: lastKey, sealed_randomizer: sealed } = stored
  if (lastKey === null || sealed === null) return null
  return { lastKey, hashedComms: bytesIn(stored.hashed_comms), sealedRandomizer: new Uint8Array(sealed) }
}

/** Copies the bytes, because drivers return different classes. */
function bytesIn(stored: Uint8Array | null): Uint8Array | null {
  return stored === null ? null : new Uint8Array(stored)
}

export function logToTable(id: AccountId, { at, event, param }: LogEntry): LogTable {
  return { account_id: id, at, event, param }
}

export function logFromTable({ at, event, param }: LogTable): LogEntry {
  return { at, event: event as LogEvent, param } // written by `logToTable`
}

export function addressToTable({ accountId, address, deleteAt }: AccountAddress): AddressTable {
  return { account_id: accountId, address, delete_at: deleteAt }
}

export function addressFromTable(stored: AddressTable): AccountAddress {
  const { account_id: accountId, address, delete_at: deleteAt } = stored
  return { accountId, address, deleteAt }
}

export function linkToTable({ tokenHash, purpose, address, accountId, madeAt, endsAt }: MailLink): LinkTable {
  return {
    purpose,
    address,
    token_hash: tokenHash,
    account_id: accountId,
    made_at: madeAt,
    ends_at: endsAt,
  }
}

export function linkFromTable({ purpose, address, ...stored }: LinkTable): MailLink {
  return {
    tokenHash: stored.token_hash,
    purpose: purpose as MailLink['purpose'], // written by `linkToTable`
    address,
    accountId: stored.account_id,
    madeAt: stored.made_at,
    endsAt: stored.ends_at,
  }
}
