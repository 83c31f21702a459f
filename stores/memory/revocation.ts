/** Revocation in memory: for tests, and for a server that only queries other servers. An authority needs a persistent store. @module */
import type { RevocationEvent } from '../../crypto/revocation/accumulator.ts'
import type { IssuanceRecord } from '../../crypto/revocation/issuance-record.ts'
import type { CredentialTypeId } from '../../protocol/ids.ts'
import {
  type AccumulatorChange,
  type AccumulatorRow,
  type RevocationStore,
  type StoredRecord,
  validUntilSecOf,
} from '../revocation-store.ts'

function keyOf({ type, keyCounter }: Pick<AccumulatorRow, 'type' | 'keyCounter'>): string {
  return `${type} ${keyCounter}`
}

export class MemoryRevocation implements RevocationStore {
  /** by `keyOf` */
  readonly #accumulators = new Map<string, AccumulatorRow>()
  /** by `keyOf`, in the order of their indices */
  readonly #events = new Map<string, readonly RevocationEvent[]>()
  readonly #records = new Map<number, IssuanceRecord>()
  #recordCount = 0

  async load(type: CredentialTypeId, keyCounter: number): Promise<AccumulatorRow | null> {
    return this.#accumulators.get(keyOf({ type, keyCounter })) ?? null
  }

  async loadAll(type: CredentialTypeId): Promise<readonly AccumulatorRow[]> {
    const rows = [...this.#accumulators.values()].filter(row => row.type === type)
    return rows.sort((a, b) => a.keyCounter - b.keyCounter)
  }

  async events(...[type, keyCounter, { min, max }]: Parameters<RevocationStore['events']>) {
    const events = this.#events.get(keyOf({ type, keyCounter })) ?? []
    return events.filter(({ index }) => index >= min && index < max)
  }

  async addRecord(record: IssuanceRecord): Promise<boolean> {
    if (this.#find(record.credentialType, record.keyCounter, record.e)) return false
    this.#records.set(++this.#recordCount, record)
    return true
  }

  async findRecord(type: CredentialTypeId, keyCounter: number, e: bigint): Promise<IssuanceRecord | null> {
    return this.#find(type, keyCounter, e)
  }

  async hasRecords(type: CredentialTypeId, keyCounter: number): Promise<boolean> {
    return this.#stored(each => each.credentialType === type && each.keyCounter === keyCounter).length > 0
  }

  async unrevoked(type: CredentialTypeId, revocationKey: string): Promise<readonly StoredRecord[]> {
    return this.#stored(
      each => each.credentialType === type && each.revocationKey === revocationKey && each.revokedAtNs === 0n,
    )
  }

  async dropRecords(validUntilBeforeSec: number): Promise<void> {
    for (const [id, record] of this.#records)
      if (validUntilSecOf(record) < validUntilBeforeSec) this.#records.delete(id)
  }

  /** True if the stored version is the one before, and none of the records to revoke is already revoked. */
  isPossible({ row, revoked }: AccumulatorChange): boolean {
    const version = this.#accumulators.get(keyOf(row))?.version ?? 0
    const ids = revoked?.ids ?? []
    return version === row.version - 1 && ids.every(id => this.#records.get(id)?.revokedAtNs === 0n)
  }

  /** @throws {Error} if an event is already stored */
  refuseRepeated({ row, events = [] }: AccumulatorChange): void {
    const known = new Set(this.#events.get(keyOf(row))?.map(({ index }) => index))
    for (const { index } of events)
      if (known.has(index)) throw new Error(`memory store: event ${index} exists`)
  }

  set({ row, events = [], revoked }: AccumulatorChange): void {
    const key = keyOf(row)
    this.#accumulators.set(key, row)
    const all = [...(this.#events.get(key) ?? []), ...events]
    all.sort((a, b) => a.index - b.index)
    this.#events.set(key, all)
    for (const id of revoked?.ids ?? []) {
      const record = this.#records.get(id)
      if (record && revoked) this.#records.set(id, { ...record, revokedAtNs: revoked.atNs })
    }
  }

  #find(type: string, keyCounter: number, e: bigint): IssuanceRecord | null {
    const isIt = (each: IssuanceRecord): boolean =>
      each.credentialType === type && each.keyCounter === keyCounter && each.e === e
    return this.#stored(isIt)[0]?.record ?? null
  }

  #stored(isWanted: (record: IssuanceRecord) => boolean): StoredRecord[] {
    return [...this.#records].filter(([, record]) => isWanted(record)).map(([id, record]) => ({ id, record }))
  }
}
