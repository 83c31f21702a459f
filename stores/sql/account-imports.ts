/** Imports of accounts in the tables of an SQL store. @module */
import type { Kysely } from 'kysely'
import type { AccountImports, ImportedAccount, ImportedEntry, ImportTarget } from '../account-imports.ts'
import type { AccountId } from '../account-store.ts'
import { AccountImportQueries, IDS_AT_ONCE } from './account-import-queries.ts'
import { AccountMailQueries } from './account-mail-queries.ts'
import { AccountQueries } from './account-queries.ts'
import { accountChangesOf, accountToTable, addressToTable, linkToTable, logToTable } from './account-rows.ts'
import type { Engine, Write } from './engine.ts'
import type { Query } from './prepared-queries.ts'
import type { AccountTable, ImportTable, Tables } from './schema.ts'

/** @returns false if a write that must change a row changes none; then nothing is committed */
type Transact = (writes: readonly Write[]) => Promise<boolean>

export class SqlAccountImports implements AccountImports {
  readonly #engine: Pick<Engine, 'all'>
  readonly #transact: Transact
  readonly #queries: AccountImportQueries
  readonly #accounts: AccountQueries
  readonly #mail: AccountMailQueries

  constructor(db: Kysely<Tables>, engine: Pick<Engine, 'all'>, transact: Transact) {
    this.#engine = engine
    this.#transact = transact
    this.#queries = new AccountImportQueries(db)
    this.#accounts = new AccountQueries(db)
    this.#mail = new AccountMailQueries(db)
  }

  async targets(ids: readonly AccountId[]): Promise<readonly ImportTarget[]> {
    const found: ImportTarget[] = []
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE)
      found.push(...(await this.#targets(ids.slice(at, at + IDS_AT_ONCE))))
    return found
  }

  async owners(tokenIdHashes: readonly string[]): Promise<ReadonlyMap<string, AccountId>> {
    const found = new Map<string, AccountId>()
    for (let at = 0; at < tokenIdHashes.length; at += IDS_AT_ONCE) {
      const query = this.#queries.owners(tokenIdHashes.slice(at, at + IDS_AT_ONCE))
      const rows = await this.#engine.all<Pick<AccountTable, 'id' | 'token_id_hash'>>(query)
      for (const { id, token_id_hash: hash } of rows) if (hash !== null) found.set(hash, id)
    }
    return found
  }

  putAccounts(accounts: readonly ImportedAccount[]): Promise<boolean> {
    return this.#transact(accounts.flatMap(account => this.#putting(account)))
  }

  addLog(entries: readonly ImportedEntry[]): Promise<boolean> {
    const numbers = new Map<AccountId, readonly [first: number, last: number]>()
    for (const { accountId, number } of entries)
      numbers.set(accountId, [numbers.get(accountId)?.[0] ?? number, number])
    const moved = [...numbers].map(([id, [first, last]]) => this.#queries.moveLog(id, first, last))
    const rows = entries.map(({ accountId, entry }) => logToTable(accountId, entry))
    return this.#transact([...mustChange(moved), ...mayChange(this.#queries.addLog(rows))])
  }

  async #targets(ids: readonly AccountId[]): Promise<readonly ImportTarget[]> {
    const { all } = this.#engine
    const stored = await all<Pick<AccountTable, 'id' | 'version'>>(this.#queries.stored(ids))
    const imported = await all<ImportTable>(this.#queries.imported(ids))
    const rows = new Map(stored.map(({ id, version }) => [id, { version }]))
    const states = new Map(
      imported.map(({ account_id, version, fingerprint, log_number: logNumber }) => [
        account_id,
        { version, fingerprint, logNumber },
      ]),
    )
    return ids.map(id => ({ stored: rows.get(id) ?? null, imported: states.get(id) ?? null }))
  }

  #putting({ row, addresses, links, fingerprint }: ImportedAccount): readonly Write[] {
    const { id, version } = row
    const put =
      version === 1
        ? this.#accounts.create(accountToTable(row))
        : this.#accounts.update(id, version - 1, accountChangesOf(row))
    return [
      ...mustChange([put]),
      ...mayChange([
        ...(version === 1 ? [] : [this.#queries.dropAddresses(id), this.#queries.dropLinks(id)]),
        ...addresses.map(address => this.#mail.putAddress(addressToTable(address))),
        ...links.map(link => this.#mail.addLink(linkToTable(link))),
        this.#queries.putImport({ account_id: id, version, fingerprint }),
      ]),
    ]
  }
}

function mustChange(queries: readonly Query[]): readonly Write[] {
  return queries.map(query => ({ query, mustChange: true }))
}

function mayChange(queries: readonly Query[]): readonly Write[] {
  return queries.map(query => ({ query, mustChange: false }))
}
