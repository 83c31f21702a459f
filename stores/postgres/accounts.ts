/** Accounts of a keyshare server in a PostgreSQL database, which several nodes share. @module */
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
import type { Database, Statements } from './database.ts'

export class PostgresAccounts implements AccountStore {
  readonly #database: Database
  readonly #queries: AccountQueries
  readonly #mail: AccountMailQueries

  constructor(database: Database) {
    this.#database = database
    this.#queries = new AccountQueries(database.db)
    this.#mail = new AccountMailQueries(database.db)
  }

  async load(id: AccountId): Promise<AccountRow | null> {
    const [stored] = await this.#database.all<AccountTable>(this.#queries.load(id))
    return stored ? accountFromTable(stored) : null
  }

  async findByTokenIdHash(hash: string): Promise<AccountId | null> {
    const [stored] = await this.#database.all<{ id: AccountId }>(this.#queries.findByTokenIdHash(hash))
    return stored?.id ?? null
  }

  async due(at: number, chart: number, limit: number): Promise<readonly AccountId[]> {
    return idsOf(await this.#database.all(this.#queries.due(at, chart, limit)))
  }

  async nextDueAfter(at: number, chart: number): Promise<number | null> {
    const [stored] = await this.#database.all<{ due_at: number }>(this.#queries.nextDueAfter(at, chart))
    return stored?.due_at ?? null
  }

  async toDelete(at: number, limit: number): Promise<readonly AccountId[]> {
    return idsOf(await this.#database.all(this.#queries.toDelete(at, limit)))
  }

  async unused(seenBefore: number, limit: number): Promise<readonly AccountId[]> {
    return idsOf(await this.#database.all(this.#queries.unused(seenBefore, limit)))
  }

  async addressesOf(id: AccountId): Promise<readonly AccountAddress[]> {
    return (await this.#database.all<AddressTable>(this.#mail.addressesOf(id))).map(addressFromTable)
  }

  async withAddress(address: string): Promise<readonly AccountId[]> {
    return idsOf(await this.#database.all(this.#mail.withAddress(address)))
  }

  async log(id: AccountId, after: number, limit: number): Promise<readonly LogEntry[]> {
    return (await this.#database.all<LogTable>(this.#mail.log(id, after, limit))).map(logFromTable)
  }

  async link(tokenHash: string): Promise<MailLink | null> {
    const [stored] = await this.#database.all<LinkTable>(this.#mail.link(tokenHash))
    return stored ? linkFromTable(stored) : null
  }

  async countLinks(address: string, purpose: MailLink['purpose'], madeAfter: number): Promise<number> {
    const query = this.#mail.countLinks(address, purpose, madeAfter)
    const [stored] = await this.#database.all<{ total: number }>(query)
    return stored?.total ?? 0
  }

  async addLink(link: MailLink): Promise<void> {
    await this.#database.run(this.#mail.addLink(linkToTable(link)))
  }

  async useLink(tokenHash: string): Promise<boolean> {
    return (await this.#database.run(this.#mail.useLink(tokenHash))) > 0
  }

  async tidy(at: number): Promise<void> {
    await this.#database.run(this.#mail.dropLinks(at))
    await this.#database.run(this.#mail.dropAddresses(at))
  }

  /** Within a transaction. Whoever is slower waits for the row, and then finds another version.
   *  @returns false if another version is stored, or the link that is to be used is not: then the transaction is to be undone */
  async set(
    { run }: Statements,
    { id, version, row }: RowChange<AccountRow>,
    { usedLink, ...inserts }: AccountInserts,
  ): Promise<boolean> {
    if (usedLink !== undefined && (await run(this.#mail.useLink(usedLink))) === 0) return false
    if (row === null) return (await run(this.#queries.delete(id, version))) > 0
    const change =
      version === 0
        ? this.#queries.create(accountToTable(row))
        : this.#queries.update(id, version, accountChangesOf(row))
    if ((await run(change)) === 0) return false
    for (const query of this.#inserted(id, inserts)) await run(query)
    return true
  }

  #inserted(id: AccountId, { log = [], links = [], addresses = [] }: AccountInserts) {
    return [
      ...log.map(entry => this.#mail.addLog(logToTable(id, entry))),
      ...links.map(link => this.#mail.addLink(linkToTable(link))),
      ...addresses.map(address => this.#mail.putAddress(addressToTable(address))),
    ]
  }
}

function idsOf(rows: readonly { readonly id: AccountId }[]): readonly AccountId[] {
  return rows.map(({ id }) => id)
}
