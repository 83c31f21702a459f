/** Accounts of a keyshare server in an SQLite file. Nothing of them is kept in memory: a call reads its row once, which costs a hundredth of the call. @module */
import type {
  AccountAddress,
  AccountId,
  AccountInserts,
  AccountRow,
  AccountStore,
  LogEntry,
  MailLink,
} from '../account-store.ts'
import { AccountMailQueries } from '../sql/account-mail-queries.ts'
import { AccountQueries } from '../sql/account-queries.ts'
import {
  accountChangesOf,
  accountFromTable,
  accountToTable,
  addressFromTable,
  addressToTable,
  linkFromTable,
  linkToTable,
  logFromTable,
  logToTable,
} from '../sql/account-rows.ts'
import type { AccountTable, AddressTable, LinkTable, LogTable } from '../sql/schema.ts'
import type { RowChange } from '../store.ts'
import { mustSurvivePowerCut } from './account-power-cut.ts'
import { type PartDeps, SqlitePart } from './part.ts'

export class SqliteAccounts extends SqlitePart implements AccountStore {
  readonly #queries: AccountQueries
  readonly #mail: AccountMailQueries

  constructor(deps: PartDeps) {
    super(deps)
    this.#queries = new AccountQueries(deps.db)
    this.#mail = new AccountMailQueries(deps.db)
  }

  async load(id: AccountId): Promise<AccountRow | null> {
    return this.#stored(id)
  }

  async findByTokenIdHash(hash: string): Promise<AccountId | null> {
    return this.all<{ id: AccountId }>(this.#queries.findByTokenIdHash(hash))[0]?.id ?? null
  }

  async due(at: number, chart: number, limit: number): Promise<readonly AccountId[]> {
    return this.all<{ id: AccountId }>(this.#queries.due(at, chart, limit)).map(({ id }) => id)
  }

  async nextDueAfter(at: number, chart: number): Promise<number | null> {
    return this.all<{ due_at: number }>(this.#queries.nextDueAfter(at, chart))[0]?.due_at ?? null
  }

  async toDelete(at: number, limit: number): Promise<readonly AccountId[]> {
    return this.all<{ id: AccountId }>(this.#queries.toDelete(at, limit)).map(({ id }) => id)
  }

  async unused(seenBefore: number, limit: number): Promise<readonly AccountId[]> {
    return this.all<{ id: AccountId }>(this.#queries.unused(seenBefore, limit)).map(({ id }) => id)
  }

  async addressesOf(id: AccountId): Promise<readonly AccountAddress[]> {
    return this.all<AddressTable>(this.#mail.addressesOf(id)).map(addressFromTable)
  }

  async withAddress(address: string): Promise<readonly AccountId[]> {
    return this.all<{ id: AccountId }>(this.#mail.withAddress(address)).map(({ id }) => id)
  }

  async log(id: AccountId, after: number, limit: number): Promise<readonly LogEntry[]> {
    return this.all<LogTable>(this.#mail.log(id, after, limit)).map(logFromTable)
  }

  async link(tokenHash: string): Promise<MailLink | null> {
    const stored = this.all<LinkTable>(this.#mail.link(tokenHash))[0]
    return stored ? linkFromTable(stored) : null
  }

  async countLinks(address: string, purpose: MailLink['purpose'], madeAfter: number): Promise<number> {
    const [row] = this.all<{ total: number }>(this.#mail.countLinks(address, purpose, madeAfter))
    return row?.total ?? 0
  }

  async addLink(link: MailLink): Promise<void> {
    await this.commitOne(this.#mail.addLink(linkToTable(link)))
  }

  useLink(tokenHash: string): Promise<boolean> {
    return this.commitOne(this.#mail.useLink(tokenHash))
  }

  async tidy(at: number): Promise<void> {
    await this.commitOne(this.#mail.dropLinks(at))
    await this.commitOne(this.#mail.dropAddresses(at))
  }

  /** Before a commit. Where another version is stored, it does not matter: nothing is committed. */
  mustSurvivePowerCut({ id, row }: RowChange<AccountRow>): boolean {
    return mustSurvivePowerCut(this.#stored(id), row)
  }

  /** Within a transaction.
   *  @returns false if another version is stored, or the link that is to be used is not: then the transaction is to be undone */
  set({ id, version, row }: RowChange<AccountRow>, { usedLink, ...inserts }: AccountInserts): boolean {
    if (usedLink !== undefined && this.run(this.#mail.useLink(usedLink)) === 0) return false
    if (row === null) return this.run(this.#queries.delete(id, version)) > 0
    const change =
      version === 0
        ? this.#queries.create(accountToTable(row))
        : this.#queries.update(id, version, accountChangesOf(row))
    if (this.run(change) === 0) return false
    this.#insert(id, inserts)
    return true
  }

  #insert(id: AccountId, { log = [], links = [], addresses = [] }: AccountInserts): void {
    for (const entry of log) this.run(this.#mail.addLog(logToTable(id, entry)))
    for (const link of links) this.run(this.#mail.addLink(linkToTable(link)))
    for (const address of addresses) this.run(this.#mail.putAddress(addressToTable(address)))
  }

  #stored(id: AccountId): AccountRow | null {
    const stored = this.all<AccountTable>(this.#queries.load(id))[0]
    return stored ? accountFromTable(stored) : null
  }
}
