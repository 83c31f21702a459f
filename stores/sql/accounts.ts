/** Accounts of a keyshare server in the tables of an SQL store. @module */
import type { Kysely } from 'kysely'
import type {
  AccountAddress,
  AccountId,
  AccountInserts,
  AccountRow,
  AccountStore,
  ListedAccount,
  LogEntry,
  MailLink,
} from '../account-store.ts'
import type { RowChange } from '../store.ts'
import { AccountMailQueries } from './account-mail-queries.ts'
import { AccountQueries } from './account-queries.ts'
import {
  accountChangesOf,
  accountFromTable,
  accountToTable,
  addressFromTable,
  addressToTable,
  type ListedAccountTable,
  linkFromTable,
  linkToTable,
  listedAccountFromTable,
  logFromTable,
  logToTable,
} from './account-rows.ts'
import { type Engine, ids, type Write } from './engine.ts'
import type { Query } from './prepared-queries.ts'
import type { AccountTable, AddressTable, LinkTable, LogTable, Tables } from './schema.ts'

export class SqlAccounts implements AccountStore {
  readonly movedMs: number
  readonly #engine: Engine
  readonly #queries: AccountQueries
  readonly #mail: AccountMailQueries

  constructor(db: Kysely<Tables>, engine: Engine, movedMs = 0) {
    this.movedMs = movedMs
    this.#engine = engine
    this.#queries = new AccountQueries(db)
    this.#mail = new AccountMailQueries(db)
  }

  async load(id: AccountId): Promise<AccountRow | null> {
    const [stored] = await this.#engine.all<AccountTable>(this.#queries.load(id))
    return stored ? accountFromTable(stored) : null
  }

  async findByTokenIdHash(hash: string): Promise<AccountId | null> {
    const [stored] = await this.#engine.all<{ id: AccountId }>(this.#queries.findByTokenIdHash(hash))
    return stored?.id ?? null
  }

  async due(at: number, chart: number, limit: number): Promise<readonly AccountId[]> {
    return ids(await this.#engine.all(this.#queries.due(at, chart, limit)))
  }

  async nextDueAfter(at: number, chart: number): Promise<number | null> {
    const [stored] = await this.#engine.all<{ due_at: number }>(this.#queries.nextDueAfter(at, chart))
    return stored?.due_at ?? null
  }

  async count(): Promise<number> {
    const [counted] = await this.#engine.all<{ total: number }>(this.#queries.count())
    return Number(counted?.total ?? 0)
  }

  async newest(limit: number): Promise<readonly ListedAccount[]> {
    const rows = await this.#engine.all<ListedAccountTable>(this.#queries.newest(limit))
    return rows.map(listedAccountFromTable)
  }

  async toDelete(at: number, limit: number): Promise<readonly AccountId[]> {
    return ids(await this.#engine.all(this.#queries.toDelete(at, limit)))
  }

  async unused(seenBefore: number, limit: number): Promise<readonly AccountId[]> {
    return ids(await this.#engine.all(this.#queries.unused(seenBefore, limit)))
  }

  async addressesOf(id: AccountId): Promise<readonly AccountAddress[]> {
    return (await this.#engine.all<AddressTable>(this.#mail.addressesOf(id))).map(addressFromTable)
  }

  async withAddress(address: string): Promise<readonly AccountId[]> {
    return ids(await this.#engine.all(this.#mail.withAddress(address)))
  }

  async log(id: AccountId, after: number, limit: number): Promise<readonly LogEntry[]> {
    return (await this.#engine.all<LogTable>(this.#mail.log(id, after, limit))).map(logFromTable)
  }

  async link(tokenHash: string): Promise<MailLink | null> {
    const [stored] = await this.#engine.all<LinkTable>(this.#mail.link(tokenHash))
    return stored ? linkFromTable(stored) : null
  }

  async countLinks(address: string, purpose: MailLink['purpose'], madeAfter: number): Promise<number> {
    const query = this.#mail.countLinks(address, purpose, madeAfter)
    const [stored] = await this.#engine.all<{ total: number }>(query)
    return stored?.total ?? 0
  }

  async addLink(link: MailLink): Promise<void> {
    await this.#engine.run(this.#mail.addLink(linkToTable(link)))
  }

  useLink(tokenHash: string): Promise<boolean> {
    return this.#engine.run(this.#mail.useLink(tokenHash))
  }

  async tidy(at: number): Promise<void> {
    await this.#engine.run(this.#mail.dropLinks(at))
    await this.#engine.run(this.#mail.dropAddresses(at))
  }

  /** The writes of a commit that changes the row, in this order: if the link was used or the row was changed meanwhile, nothing is committed. */
  setting(change: RowChange<AccountRow>, { usedLink, ...inserts }: AccountInserts): readonly Write[] {
    const compared = [
      ...(usedLink === undefined ? [] : [this.#mail.useLink(usedLink)]),
      this.#changing(change),
    ]
    // rows of a deleted account are deleted with it
    const added = change.row === null ? [] : this.#inserted(change.id, inserts)
    return [
      ...compared.map(query => ({ query, mustChange: true })),
      ...added.map(query => ({ query, mustChange: false })),
    ]
  }

  #changing({ id, version, row }: RowChange<AccountRow>): Query {
    if (row === null) return this.#queries.delete(id, version)
    return version === 0
      ? this.#queries.create(accountToTable(row))
      : this.#queries.update(id, version, accountChangesOf(row))
  }

  #inserted(id: AccountId, { log = [], links = [], addresses = [] }: AccountInserts): readonly Query[] {
    return [
      ...log.map(entry => this.#mail.addLog(logToTable(id, entry))),
      ...links.map(link => this.#mail.addLink(linkToTable(link))),
      ...addresses.map(address => this.#mail.putAddress(addressToTable(address))),
    ]
  }
}
