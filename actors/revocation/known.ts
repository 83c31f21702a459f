/** The stored accumulators of one credential type, as updates, and the listeners for new ones. Listeners also receive accumulators that other nodes have
 *  committed. @module */
import type { IssuerPrivateKey, IssuerPublicKey } from '../../crypto/public-key.ts'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { RevocationError } from '../../protocol/errors.ts'
import { type CredentialTypeId, issuerOf } from '../../protocol/ids.ts'
import type { Schemes } from '../../schemes/types.ts'
import type { AccumulatorChange, AccumulatorRow } from '../../stores/revocation-store.ts'
import type { SessionServerStore } from '../../stores/store.ts'
import type { ServedRevocation } from './revocation.ts'

export type KnownDeps = {
  readonly store: Pick<SessionServerStore, 'revocation' | 'commit' | 'nodes'>
  readonly schemes: Schemes
}

type Listener = (update: RevocationUpdate) => void

export class KnownAccumulators {
  readonly type: CredentialTypeId
  readonly #deps: KnownDeps
  readonly #listeners = new Set<Listener>()
  /** by key counter: the accumulator that listeners received last */
  readonly #told = new Map<number, Pick<AccumulatorRow, 'version' | 'index'>>()
  #hasLooked = false

  constructor(type: CredentialTypeId, deps: KnownDeps) {
    this.type = type
    this.#deps = deps
  }

  /** null if the key is unknown or does not support revocation */
  keyOf(keyCounter: number): IssuerPublicKey | null {
    const key = this.#deps.schemes.publicKey(issuerOf(this.type), keyCounter)
    return key?.revocation ? key : null
  }

  /** Both keys of the issuer; null if one is missing or does not support revocation. */
  keysOf(
    keyCounter: number,
  ): { readonly key: IssuerPublicKey; readonly privateKey: IssuerPrivateKey } | null {
    const key = this.keyOf(keyCounter)
    const privateKey = this.#deps.schemes.privateKey(issuerOf(this.type), keyCounter)
    return key && privateKey?.ecdsa !== undefined ? { key, privateKey } : null
  }

  /** counters of the keys that support revocation for this type */
  keyCounters(): readonly number[] {
    const keys = this.#deps.schemes.issuer(issuerOf(this.type))?.publicKeys.values() ?? []
    return [...keys].filter(({ revocation }) => revocation).map(({ counter }) => counter)
  }

  load(keyCounter: number): Promise<AccumulatorRow | null> {
    return this.#deps.store.revocation.load(this.type, keyCounter)
  }

  /** By key counter, with the last `count` events (0: all). */
  async updates(count: number): Promise<ReadonlyMap<number, RevocationUpdate>> {
    const rows = await this.#deps.store.revocation.loadAll(this.type)
    const known = rows.filter(({ keyCounter }) => this.keyOf(keyCounter))
    return new Map(
      await Promise.all(known.map(async row => [row.keyCounter, await this.updateOf(row, count)] as const)),
    )
  }

  async updateOf({ keyCounter, signed, index }: AccumulatorRow, count: number): Promise<RevocationUpdate> {
    const max = index + 1
    const min = count === 0 ? 0 : Math.max(0, max - count)
    return { signed, events: await this.#deps.store.revocation.events(this.type, keyCounter, { min, max }) }
  }

  /** Commits all changes or none, and then notifies the listeners.
   *  @returns false if another version is stored */
  async commit(changes: readonly AccumulatorChange[]): Promise<boolean> {
    const isCommitted = await this.#deps.store.commit({ accumulators: changes })
    if (isCommitted)
      for (const { row, events = [] } of changes) if (this.#isNext(row)) this.#tell(row, events)
    return isCommitted
  }

  /** Reads the store, and notifies the listeners of commits of other nodes since the last look, once for each accumulator. */
  async look(): Promise<void> {
    const { revocation } = this.#deps.store
    for (const row of await revocation.loadAll(this.type)) {
      const { keyCounter, index } = row
      const told = this.#told.get(keyCounter) ?? (this.#hasLooked ? { version: 0, index: -1 } : row)
      const interval = { min: told.index + 1, max: index + 1 }
      const events = index > told.index ? await revocation.events(this.type, keyCounter, interval) : []
      if ((this.#told.get(keyCounter)?.version ?? told.version) < row.version) this.#tell(row, events)
      else if (told === row) this.#told.set(keyCounter, row)
    }
    this.#hasLooked = true
  }

  /** True if the listeners have missed no earlier accumulator; otherwise the next look reports both. A process that has its store to itself misses none. */
  #isNext({ keyCounter, version }: AccumulatorRow): boolean {
    if (!this.#deps.store.nodes.isShared) return true
    return this.#told.get(keyCounter)?.version === version - 1
  }

  #tell(row: AccumulatorRow, events: RevocationUpdate['events']): void {
    this.#told.set(row.keyCounter, row)
    for (const listener of this.#listeners) listener({ signed: row.signed, events })
  }

  /** @param addRecord null: this server is not the authority */
  served(addRecord: ServedRevocation['addRecord']): ServedRevocation {
    return {
      updates: async count => {
        const updates = await this.updates(count)
        if (updates.size === 0) throw new RevocationError(`no accumulator of ${this.type} so far`)
        return updates
      },
      events: async (keyCounter, min, max) => {
        const events = await this.#deps.store.revocation.events(this.type, keyCounter, { min, max })
        if (events.length === 0)
          throw new RevocationError(`expected events from ${min} on, got an interval without any`)
        return events
      },
      addRecord,
      follow: listener => {
        this.#listeners.add(listener)
        return () => this.#listeners.delete(listener)
      },
    }
  }
}
