/** The records of accounts in their rows (spec/keyshare-server#11.6). A bound record opens only with all other columns of its row as they were written. So a program that
 *  writes to the database can neither move a record to another row, nor change a column or replace it by an older one. @module */
import { RecordError } from '../../accounts/record-error.ts'
import {
  type BoundColumns,
  openBoundRecord,
  openRecord,
  sealBoundRecord,
  sealRecord,
} from '../../accounts/records.ts'
import { type AccountSecrets, hashOfTokenId } from '../../accounts/secrets.ts'
import { NONCE_BYTES, type StorageKeys } from '../../accounts/storage-keys.ts'
import { LOGIN_CHART, UNBOUND_CHART } from '../../machines/keyshare-login.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { UserNotRegisteredError } from '../../protocol/errors.ts'
import type { AccountRow, AccountStore } from '../../stores/account-store.ts'
import type { RecordsOfRows } from '../kinds/login.ts'

/** `write` reads both forms and writes the bound one. `read` reads both, and keeps the form of a row: older servers can read its new rows. `require` reads only the
 *  bound form. */
export const BINDINGS = ['write', 'read', 'require'] as const
export type Binding = (typeof BINDINGS)[number]

export type RecordsDeps = {
  readonly storageKeys: StorageKeys
  /** provides 12 bytes for each record that is sealed */
  readonly random: Pick<Randomness, 'bytes'>
  readonly store: Pick<AccountStore, 'movedMs'>
  readonly binding: Binding
}

export type VerifiedRecords = RecordsOfRows & {
  /** Does nothing for a row object that this server has sealed or verified before.
   *  @throws {RecordError} if a column is not as this server, or another one with its keys, has written it */
  readonly verify: (row: AccountRow) => void
}

export function isBound({ chart }: Pick<AccountRow, 'chart'>): boolean {
  return chart !== null && chart > UNBOUND_CHART
}

export function recordsOfRows({ storageKeys, random, store, binding }: RecordsDeps): VerifiedRecords {
  /** The secrets of rows that this server has verified or sealed: a login asks for them 13 times. An entry is collected with its row. The storage
   *  keys, which open every record, are in the same memory. */
  const known = new WeakMap<AccountRow, AccountSecrets>()
  const open = (row: AccountRow): AccountSecrets => {
    const { record } = row
    if (record === null) throw new UserNotRegisteredError('could not find specified user')
    if (isBound(row)) return openBoundRecord(record, at => columnsOf(row, store.movedMs - at), storageKeys)
    if (binding !== 'require') return openRecord(record, storageKeys)
    throw new RecordError(
      'expected a record that is bound to its row, got one of the older form; bind_accounts: write reads it',
    )
  }
  const withSecrets = (row: AccountRow, secrets: AccountSecrets): AccountRow => {
    known.set(row, secrets)
    return row
  }
  return {
    secretsOf: row => known.get(row) ?? open(row),
    verify(row) {
      if (row.record === null || row.chart === null || known.has(row)) return
      try {
        known.set(row, open(row))
      } catch (cause) {
        if (!(cause instanceof RecordError)) throw cause
        throw new RecordError(`account ${row.id}: ${cause.message}`, { cause })
      }
    },
    sealed(row, secrets) {
      const nonce = random.bytes(NONCE_BYTES)
      const after = { ...row, tokenIdHash: hashOfTokenId(secrets.tokenId) }
      if (binding === 'read' && !isBound(row))
        return withSecrets({ ...after, record: sealRecord(secrets, storageKeys, nonce) }, secrets)
      const bound = { ...after, chart: LOGIN_CHART }
      const place = { columns: columnsOf(bound, 0), movedMs: store.movedMs }
      return withSecrets({ ...bound, record: sealBoundRecord(secrets, place, storageKeys, nonce) }, secrets)
    },
  }
}

/** All columns but the record.
 *  @param byMs how far the store has moved the times of the row since it was written */
function columnsOf(row: AccountRow, byMs: number): BoundColumns {
  const { id, userName, language, version, chart, tokenIdHash, attempts, challenge, commitment } = row
  const back = (at: number | null): number | null => at && at - byMs
  return {
    id,
    userName,
    language,
    version,
    chart,
    tokenIdHash,
    attempts,
    challenge,
    lastKey: commitment?.lastKey ?? null,
    hashedComms: commitment?.hashedComms ?? null,
    sealedRandomizer: commitment?.sealedRandomizer ?? null,
    blockedUntil: back(row.blockedUntil),
    deleteAt: back(row.deleteAt),
    dueAt: back(row.dueAt),
    seenAt: back(row.seenAt),
    snapshot: JSON.stringify(row.snapshot, (name, value) => writtenAs(name, value, back)),
  }
}

/** The same text for each order of the members, because a database may change the order. */
function writtenAs(name: string, value: unknown, back: (at: number) => number | null): unknown {
  if (typeof value === 'number' && name.endsWith('EndsAt')) return back(value)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
