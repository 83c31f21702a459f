/** Accounts of a keyshare server in memory. @module */
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
import { DueIndex } from './due-index.ts'

/** Data of an account that is deleted with it. */
type Beside = {
  readonly log: LogEntry[]
  readonly addresses: Map<string, AccountAddress>
}

export class MemoryAccounts implements AccountStore {
  readonly movedMs = 0
  readonly #rows = new Map<AccountId, AccountRow>()
  readonly #due = new DueIndex()
  /** by hash of the token id */
  readonly #tokenIds = new Map<string, AccountId>()
  readonly #beside = new Map<AccountId, Beside>()
  readonly #links = new Map<string, MailLink>()

  async load(id: AccountId): Promise<AccountRow | null> {
    return this.#rows.get(id) ?? null
  }

  async findByTokenIdHash(hash: string): Promise<AccountId | null> {
    return this.#tokenIds.get(hash) ?? null
  }

  async due(until: number, chart: number, limit: number): Promise<readonly AccountId[]> {
    return this.#due.due(until, limit, id => this.#isOfChart(id, chart))
  }

  async nextDueAfter(after: number, chart: number): Promise<number | null> {
    return this.#due.nextAfter(after, id => this.#isOfChart(id, chart))
  }

  async toDelete(at: number, limit: number): Promise<readonly AccountId[]> {
    const deletedAt = ({ deleteAt }: AccountRow): number => deleteAt ?? Number.POSITIVE_INFINITY
    return this.#ids(row => deletedAt(row) <= at, deletedAt).slice(0, limit)
  }

  async unused(seenBefore: number, limit: number): Promise<readonly AccountId[]> {
    const hasAddress = (id: AccountId): boolean => (this.#beside.get(id)?.addresses.size ?? 0) > 0
    const isUnused = ({ id, record, deleteAt, seenAt }: AccountRow): boolean =>
      record !== null && deleteAt === null && seenAt < seenBefore && hasAddress(id)
    return this.#ids(isUnused, ({ seenAt }) => seenAt).slice(0, limit)
  }

  async addressesOf(id: AccountId): Promise<readonly AccountAddress[]> {
    return [...(this.#beside.get(id)?.addresses.values() ?? [])]
  }

  async withAddress(address: string): Promise<readonly AccountId[]> {
    const isOf = (id: AccountId): boolean => this.#beside.get(id)?.addresses.has(address) ?? false
    return this.#ids(
      ({ id, record }) => record !== null && isOf(id),
      () => 0,
    )
  }

  async log(id: AccountId, after: number, limit: number): Promise<readonly LogEntry[]> {
    return [...(this.#beside.get(id)?.log ?? [])].reverse().slice(after, after + limit)
  }

  async link(tokenHash: string): Promise<MailLink | null> {
    return this.#links.get(tokenHash) ?? null
  }

  async countLinks(address: string, purpose: MailLink['purpose'], madeAfter: number): Promise<number> {
    const isCounted = (link: MailLink): boolean =>
      link.address === address && link.purpose === purpose && link.madeAt > madeAfter
    return [...this.#links.values()].filter(isCounted).length
  }

  async addLink(link: MailLink): Promise<void> {
    this.#refuseRepeatedLink(link)
    this.#links.set(link.tokenHash, link)
  }

  async useLink(tokenHash: string): Promise<boolean> {
    return this.#links.delete(tokenHash)
  }

  async count(): Promise<number> {
    return this.#rows.size
  }

  async newest(limit: number): Promise<readonly ListedAccount[]> {
    return [...this.#rows.values()].sort((a, b) => b.seenAt - a.seenAt).slice(0, limit)
  }

  async tidy(at: number): Promise<void> {
    for (const { tokenHash, endsAt } of this.#links.values()) if (endsAt <= at) this.#links.delete(tokenHash)
    for (const { addresses } of this.#beside.values())
      for (const { address, deleteAt } of addresses.values())
        if (deleteAt !== null && deleteAt <= at) addresses.delete(address)
  }

  isPossible({ id, version }: RowChange<AccountRow>, { usedLink }: AccountInserts): boolean {
    const isOfVersion = (this.#rows.get(id)?.version ?? 0) === version
    return isOfVersion && (usedLink === undefined || this.#links.has(usedLink))
  }

  /** @throws {Error} if a token id or a link is already stored */
  refuseRepeated({ id, row }: RowChange<AccountRow>, { links = [] }: AccountInserts): void {
    const holder = row?.tokenIdHash ? this.#tokenIds.get(row.tokenIdHash) : undefined
    if (holder !== undefined && holder !== id) throw new Error(`memory store: token id of ${id} exists`)
    for (const link of links) this.#refuseRepeatedLink(link)
  }

  set({ id, row }: RowChange<AccountRow>, inserts: AccountInserts): void {
    const { tokenIdHash } = this.#rows.get(id) ?? {}
    if (tokenIdHash) this.#tokenIds.delete(tokenIdHash)
    if (inserts.usedLink !== undefined) this.#links.delete(inserts.usedLink)
    if (row === null) this.#remove(id)
    else this.#put(row, inserts)
  }

  #refuseRepeatedLink({ tokenHash }: MailLink): void {
    if (this.#links.has(tokenHash)) throw new Error('memory store: the link exists')
  }

  #put(row: AccountRow, { log = [], links = [], addresses = [] }: AccountInserts): void {
    const beside: Beside = this.#beside.get(row.id) ?? { log: [], addresses: new Map() }
    this.#rows.set(row.id, row)
    this.#beside.set(row.id, beside)
    if (row.dueAt === null) this.#due.delete(row.id)
    else this.#due.set(row.id, row.dueAt)
    if (row.tokenIdHash !== null) this.#tokenIds.set(row.tokenIdHash, row.id)
    beside.log.push(...log)
    for (const address of addresses) beside.addresses.set(address.address, address)
    for (const link of links) this.#links.set(link.tokenHash, link)
  }

  #remove(id: AccountId): void {
    this.#rows.delete(id)
    this.#beside.delete(id)
    this.#due.delete(id)
    for (const { tokenHash, accountId } of this.#links.values())
      if (accountId === id) this.#links.delete(tokenHash)
  }

  /** @param numberOf sort key, ascending */
  #ids(isMeant: (row: AccountRow) => boolean, numberOf: (row: AccountRow) => number): readonly AccountId[] {
    return [...this.#rows.values()]
      .filter(isMeant)
      .sort((a, b) => numberOf(a) - numberOf(b))
      .map(({ id }) => id)
  }

  #isOfChart(id: AccountId, chart: number): boolean {
    const row = this.#rows.get(id)
    return row !== undefined && (row.chart ?? 0) <= chart
  }
}
