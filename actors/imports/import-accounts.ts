/** Takes over the accounts of an existing keyshare server, in batches. A pass reads all accounts, and writes those that are new or have changed since the last
 *  pass. So it can be repeated, and continued after an abort. An account that was used here since its import is never overwritten. @module */
import { triesLeft } from '../../accounts/pin-attempts.ts'
import { RecordError } from '../../accounts/record-error.ts'
import { openRecord } from '../../accounts/records.ts'
import { hashOfTokenId } from '../../accounts/secrets.ts'
import type { StorageKeys } from '../../accounts/storage-keys.ts'
import type { AccountImports, ImportedAccount, ImportTarget } from '../../stores/account-imports.ts'
import type { AccountId } from '../../stores/account-store.ts'
import type {
  AccountSource,
  SourceAccount,
  SourceEntry,
  SourceKey,
} from '../../stores/imports/account-source.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import {
  type AccountRules,
  importedEntry,
  importedRow,
  type ReadAccount,
  readAccount,
  SourceRowError,
} from './account-rows.ts'
import { accountsInWords, type ImportCounts, noCounts } from './import-counts.ts'

export type ImportDeps = {
  readonly source: Pick<AccountSource, 'name' | 'keys' | 'samples' | 'accounts' | 'logEnd' | 'log'>
  /** null: nothing is written, and nothing is compared with the store */
  readonly imports: AccountImports | null
  readonly rules: AccountRules
  /** Unix ms by the time of the store */
  readonly now: () => number
  /** for a log: an account, by its hash, that is left out */
  readonly leftOut: (id: string, error: Error) => void
  /** called after each batch; throws to end the import */
  readonly progress: (counts: ImportCounts) => void
}

/** The number of accounts in one transaction. */
const ACCOUNTS_AT_ONCE = 200
/** The number of log entries in one transaction. */
const ENTRIES_AT_ONCE = 1_000
/** A batch is read again if another process changed one of its accounts meanwhile. */
const MOST_RACES = 10

/** @property read null: the account is left out, and reported */
type BatchAccount = { readonly source: SourceAccount; readonly id: string; readonly read: ReadAccount | null }

/** The accounts of one batch, with their state in the store. */
type Batch = readonly (BatchAccount & { readonly target: ImportTarget })[]

const NOTHING: ImportTarget = { stored: null, imported: null }

/** @returns the storage keys that occur in the source
 *  @throws {Error} that names the numbers of the keys that are missing or wrong; nothing has been written then */
export async function checkStorageKeys(
  source: Pick<AccountSource, 'name' | 'keys' | 'samples'>,
  keys: StorageKeys,
): Promise<readonly SourceKey[]> {
  const used = await source.keys()
  const missing: string[] = []
  for (const { number, accounts } of used) {
    const reasons = (await source.samples({ number })).map(record => reasonAgainst(record, keys))
    if (!reasons.includes(null))
      missing.push(`storage key ${number} of ${accountsInWords(accounts)} (${reasons[0]})`)
  }
  if (missing.length === 0) return used
  throw new Error(
    `${source.name}: expected the storage keys of all records, got none for ${missing.join('; ')}: name the file of each by --storage-key-file`,
  )
}

function reasonAgainst(record: Uint8Array, keys: StorageKeys): string | null {
  try {
    openRecord(record, keys)
    return null
  } catch (error) {
    if (error instanceof RecordError) return error.message
    throw error
  }
}

export class AccountImport {
  readonly #deps: ImportDeps
  /** number of the last log entry that a pass has read */
  #logRead = 0
  /** For a dry run, which has no store to ask: the owner of each token id until now, by the hash of that id. */
  readonly #tokens = new Map<string, AccountId>()
  /** The accounts that this pass has left out. Their log entries are left out too, because another account here may have the same name. */
  readonly #leftOut = new Set<AccountId>()

  constructor(deps: ImportDeps) {
    this.#deps = deps
  }

  /** @param isLast false: log entries of the last seconds are left to a later pass, because the existing server may be writing them
   *  @returns the counts of this pass
   *  @throws {StoreError} of either database */
  async pass(isLast: boolean): Promise<ImportCounts> {
    const counts = noCounts()
    const { source, progress } = this.#deps
    this.#leftOut.clear()
    const logEnd = await source.logEnd(!isLast) // before the accounts, so that the account of each entry is found
    for (let after = 0; ; ) {
      const accounts = await source.accounts(after, ACCOUNTS_AT_ONCE)
      if (accounts.length === 0) break
      after = accounts.at(-1)?.number ?? after
      await this.#importAll(accounts, counts)
      progress(counts)
    }
    for (;;) {
      const entries = await source.log(this.#logRead, ENTRIES_AT_ONCE, logEnd)
      if (entries.length === 0) return counts
      await this.#importLog(entries, counts)
      this.#logRead = entries.at(-1)?.number ?? this.#logRead
      progress(counts)
    }
  }

  async #importAll(accounts: readonly SourceAccount[], counts: ImportCounts): Promise<void> {
    const { imports } = this.#deps
    const all = await this.#readAll(accounts)
    const ids = all.map(({ id }) => id)
    for (let races = 0; races < MOST_RACES; races++) {
      const targets = (await imports?.targets(ids)) ?? []
      const batch = all.map((each, i) => ({ ...each, target: targets[i] ?? NOTHING }))
      const after = { ...counts }
      const written = this.#changedOf(batch, after)
      if (imports === null || written.length === 0 || (await imports.putAccounts(written))) {
        Object.assign(counts, after)
        return
      }
    }
    throw new Error(
      'import: expected accounts that no other process changes at the same time, got changed ones',
    )
  }

  #changedOf(batch: Batch, counts: ImportCounts): readonly ImportedAccount[] {
    const now = this.#deps.now()
    return batch.flatMap(({ source, read, target }) => {
      counts.accounts++
      if (read === null) {
        counts.leftOut++
        return []
      }
      countKind(source, read, now, counts)
      const { stored, imported } = target
      if (stored === null && imported !== null) counts.deletedHere++
      else if (stored !== null && stored.version !== imported?.version) counts.usedHere++
      else if (imported?.fingerprint === read.fingerprint) counts.unchanged++
      else {
        if (stored === null) counts.added++
        else counts.changed++
        const row = importedRow(source, read, this.#deps.rules, { version: (stored?.version ?? 0) + 1, now })
        const { addresses, links, fingerprint } = read
        return [{ row, addresses, links, fingerprint }]
      }
      return []
    })
  }

  /** Leaves an account out if its record does not open, its row cannot be stored, or another account has its record. */
  async #readAll(accounts: readonly SourceAccount[]): Promise<readonly BatchAccount[]> {
    const { imports, rules, now } = this.#deps
    const leaveOut = (id: AccountId, error: Error): void => {
      this.#leftOut.add(id)
      this.#deps.leftOut(id, error)
    }
    const all = accounts.map(source => {
      const id = hashOfToken(source.userName)
      try {
        return { source, id, read: readAccount(source, rules, now()) }
      } catch (error) {
        if (!(error instanceof RecordError || error instanceof SourceRowError)) throw error
        leaveOut(id, error)
        return { source, id, read: null }
      }
    })
    const tokens = all.map(({ read }) => (read?.secrets ? hashOfTokenId(read.secrets.tokenId) : null))
    const owners = imports
      ? new Map(await imports.owners(tokens.filter(hash => hash !== null)))
      : this.#tokens
    return all.map((each, i) => {
      const token = tokens[i] ?? null
      if (token === null) return each
      const owner = owners.get(token) ?? each.id
      owners.set(token, owner)
      if (owner === each.id) return each
      leaveOut(
        each.id,
        new SourceRowError(`coredata: expected a record of its own, got that of account ${owner}`),
      )
      return { ...each, read: null }
    })
  }

  async #importLog(entries: readonly SourceEntry[], counts: ImportCounts): Promise<void> {
    const { imports } = this.#deps
    const ids = entries.map(({ userName }) => hashOfToken(userName))
    const unique = [...new Set(ids)]
    for (let races = 0; races < MOST_RACES; races++) {
      const targets = (await imports?.targets(unique)) ?? []
      const known = new Map(unique.map((id, i) => [id, targets[i] ?? NOTHING]))
      const fresh = entries.flatMap((source, i) => {
        const accountId = ids[i] ?? ''
        const { stored, imported } = known.get(accountId) ?? NOTHING
        const isNew = imports === null || (stored && imported && imported.logNumber < source.number)
        const entry = isNew && !this.#leftOut.has(accountId) ? importedEntry(source) : null
        return entry === null ? [] : [{ accountId, number: source.number, entry }]
      })
      if (imports === null || fresh.length === 0 || (await imports.addLog(fresh))) {
        counts.logEntries += fresh.length
        return
      }
    }
    throw new Error(
      'import: expected a log that no other process imports at the same time, got a changed one',
    )
  }
}

function countKind(source: SourceAccount, read: ReadAccount, now: number, counts: ImportCounts): void {
  counts.addresses += read.addresses.length
  counts.leavingAddresses += read.addresses.filter(({ deleteAt }) => deleteAt !== null).length
  counts.unconfirmed += read.links.length
  counts.skippedAddresses += read.skippedAddresses
  if (read.secrets === null) {
    counts.disabled++
    return
  }
  if (triesLeft(source.attempts) === 0 && source.blockSec * 1_000 > now) counts.blocked++
  else if (source.attempts > 0) counts.wrongPins++
  if (source.deleteSec !== null) counts.toDelete++
  if (read.secrets.deviceKey === null) counts.withoutDevice++
}
