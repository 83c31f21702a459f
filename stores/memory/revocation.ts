/** Revocation in memory: for tests, and for a server that only asks others; an authority needs a file. @module */
import type { RevocationEvent } from '../../crypto/revocation/accumulator.ts'
import type { IssuanceRecord } from '../../crypto/revocation/issuance-record.ts'
import {
  type AccumulatorChange,
  type AccumulatorRow,
  type RevocationStore,
  type StoredRecord,
  validUntilSecOf,
} from '../revocation-store.ts'

type Tables = {
  /** by `keyOf` */
  readonly accumulators: Map<string, AccumulatorRow>
  readonly events: Map<string, RevocationEvent[]>
  readonly records: Map<number, IssuanceRecord>
}

function keyOf({ type, keyCounter }: Pick<AccumulatorRow, 'type' | 'keyCounter'>): string {
  return `${type} ${keyCounter}`
}

function isPossible({ accumulators, records }: Tables, { row, revoked }: AccumulatorChange): boolean {
  const version = accumulators.get(keyOf(row))?.version ?? 0
  return version === row.version - 1 && (revoked?.ids ?? []).every(id => records.get(id)?.revokedAtNs === 0n)
}

/** @throws if an event is stored already */
function refuseRepeated({ events }: Tables, { row, events: added = [] }: AccumulatorChange): void {
  const known = new Set(events.get(keyOf(row))?.map(({ index }) => index))
  for (const { index } of added) if (known.has(index)) throw new Error(`memory store: event ${index} exists`)
}

function apply(tables: Tables, { row, events = [], revoked }: AccumulatorChange): void {
  const key = keyOf(row)
  tables.accumulators.set(key, row)
  const all = [...(tables.events.get(key) ?? []), ...events]
  tables.events.set(
    key,
    all.sort((a, b) => a.index - b.index),
  )
  for (const id of revoked?.ids ?? []) {
    const record = tables.records.get(id)
    if (record && revoked) tables.records.set(id, { ...record, revokedAtNs: revoked.atNs })
  }
}

export function createMemoryRevocation(): RevocationStore {
  const tables: Tables = { accumulators: new Map(), events: new Map(), records: new Map() }
  const { accumulators, records } = tables
  let recordCount = 0
  const stored = (isWanted: (record: IssuanceRecord) => boolean): StoredRecord[] =>
    [...records].filter(([, record]) => isWanted(record)).map(([id, record]) => ({ id, record }))
  const find = (type: string, keyCounter: number, e: bigint): IssuanceRecord | null =>
    stored(each => each.credentialType === type && each.keyCounter === keyCounter && each.e === e)[0]
      ?.record ?? null
  return {
    load: async (type, keyCounter) => accumulators.get(keyOf({ type, keyCounter })) ?? null,
    loadAll: async type =>
      [...accumulators.values()].filter(row => row.type === type).sort((a, b) => a.keyCounter - b.keyCounter),
    events: async (type, keyCounter, { min, max }) =>
      (tables.events.get(keyOf({ type, keyCounter })) ?? []).filter(
        ({ index }) => index >= min && index < max,
      ),
    async commit(changes) {
      if (!changes.every(change => isPossible(tables, change))) return false
      for (const change of changes) refuseRepeated(tables, change)
      for (const change of changes) apply(tables, change)
      return true
    },
    async addRecord(record) {
      if (find(record.credentialType, record.keyCounter, record.e)) return false
      records.set(++recordCount, record)
      return true
    },
    findRecord: async (type, keyCounter, e) => find(type, keyCounter, e),
    unrevoked: async (type, revocationKey) =>
      stored(
        each =>
          each.credentialType === type && each.revocationKey === revocationKey && each.revokedAtNs === 0n,
      ),
    async dropRecords(validUntilBeforeSec) {
      for (const [id, record] of records)
        if (validUntilSecOf(record) < validUntilBeforeSec) records.delete(id)
    },
  }
}
