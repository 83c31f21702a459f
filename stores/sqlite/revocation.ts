/** Revocation in the SQLite file of the sessions. Nothing of it is kept in memory. @module */
import { bytesOf, integerOf } from '../../crypto/bytes.ts'
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
import { RevocationQueries } from '../sql/revocation-queries.ts'
import type { AccumulatorTable, EventTable, RecordTable } from '../sql/schema.ts'
import { type PartDeps, SqlitePart } from './part.ts'

export class SqliteRevocation extends SqlitePart implements RevocationStore {
  readonly #queries: RevocationQueries

  constructor(deps: PartDeps) {
    super(deps)
    this.#queries = new RevocationQueries(deps.db)
  }

  async load(type: CredentialTypeId, keyCounter: number): Promise<AccumulatorRow | null> {
    const stored = this.all<AccumulatorTable>(this.#queries.load(type, keyCounter))[0]
    return stored ? accumulatorFromTable(stored) : null
  }

  async loadAll(type: CredentialTypeId): Promise<readonly AccumulatorRow[]> {
    return this.all<AccumulatorTable>(this.#queries.loadAll(type)).map(accumulatorFromTable)
  }

  async events(
    type: CredentialTypeId,
    keyCounter: number,
    { min, max }: { readonly min: number; readonly max: number },
  ): Promise<readonly RevocationEvent[]> {
    return this.all<EventTable>(this.#queries.events(type, keyCounter, min, max)).map(
      ({ number: index, e, parent_hash: parentHash }) => ({ index, e: integerOf(e), parentHash }),
    )
  }

  addRecord(record: IssuanceRecord): Promise<boolean> {
    return this.commitOne(this.#queries.addRecord(recordToTable(record)), true)
  }

  async findRecord(type: CredentialTypeId, keyCounter: number, e: bigint): Promise<IssuanceRecord | null> {
    const stored = this.all<RecordTable>(this.#queries.findRecord(type, keyCounter, bytesOf(e)))[0]
    return stored ? recordFromTable(stored) : null
  }

  async unrevoked(type: CredentialTypeId, revocationKey: string): Promise<readonly StoredRecord[]> {
    const query = this.#queries.unrevoked(type, new TextEncoder().encode(revocationKey))
    return this.all<RecordTable & { readonly id: number }>(query).map(({ id, ...row }) => ({
      id,
      record: recordFromTable(row),
    }))
  }

  async dropRecords(validUntilBeforeSec: number): Promise<void> {
    await this.commitOne(this.#queries.dropRecords(validUntilBeforeSec))
  }

  /** Within a transaction.
   *  @returns false if another version is stored, or a record is revoked already: then the transaction is to be undone */
  set({ row, events = [], revoked }: AccumulatorChange): boolean {
    const { type, keyCounter: key_counter } = row
    const accumulator = accumulatorToTable(row)
    const set = row.version === 1 ? this.#queries.create(accumulator) : this.#queries.update(accumulator)
    if (this.run(set) === 0) return false
    for (const { index, e, parentHash: parent_hash } of events)
      this.run(this.#queries.addEvent({ type, key_counter, number: index, e: bytesOf(e), parent_hash }))
    return (revoked?.ids ?? []).every(id => this.run(this.#queries.setRevoked(id, String(revoked?.atNs))) > 0)
  }
}

function accumulatorToTable({ type, keyCounter, version, signed, index }: AccumulatorRow): AccumulatorTable {
  return { type, key_counter: keyCounter, version, signed: signed.data, last_index: index }
}

function accumulatorFromTable(row: AccumulatorTable): AccumulatorRow {
  const { key_counter: keyCounter, version, signed, last_index: index } = row
  const type = row.type as CredentialTypeId // as it was stored
  return { type, keyCounter, version, signed: { data: signed, keyCounter }, index }
}

function recordToTable(record: IssuanceRecord): RecordTable {
  return {
    type: record.credentialType,
    key_counter: record.keyCounter,
    revocation_key: new TextEncoder().encode(record.revocationKey),
    issued_at_ns: String(record.issuedAtNs),
    e: bytesOf(record.e),
    valid_until_ns: String(record.validUntilNs),
    valid_until_sec: validUntilSecOf(record),
    revoked_at_ns: String(record.revokedAtNs),
  }
}

function recordFromTable(row: RecordTable): IssuanceRecord {
  return {
    revocationKey: new TextDecoder().decode(row.revocation_key),
    credentialType: row.type,
    issuedAtNs: BigInt(row.issued_at_ns),
    keyCounter: row.key_counter,
    e: integerOf(row.e),
    validUntilNs: BigInt(row.valid_until_ns),
    revokedAtNs: BigInt(row.revoked_at_ns),
  }
}
