/** Revocation in the tables of an SQL store. Nothing is cached. @module */
import type { Kysely } from 'kysely'
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
import type { Engine, Write } from './engine.ts'
import { RevocationQueries } from './revocation-queries.ts'
import type { AccumulatorTable, EventTable, RecordTable, Tables } from './schema.ts'

export class SqlRevocation implements RevocationStore {
  readonly #engine: Engine
  readonly #queries: RevocationQueries

  constructor(db: Kysely<Tables>, engine: Engine) {
    this.#engine = engine
    this.#queries = new RevocationQueries(db)
  }

  async load(type: CredentialTypeId, keyCounter: number): Promise<AccumulatorRow | null> {
    const [stored] = await this.#engine.all<AccumulatorTable>(this.#queries.load(type, keyCounter))
    return stored ? accumulatorFromTable(stored) : null
  }

  async loadAll(type: CredentialTypeId): Promise<readonly AccumulatorRow[]> {
    return (await this.#engine.all<AccumulatorTable>(this.#queries.loadAll(type))).map(accumulatorFromTable)
  }

  async events(
    type: CredentialTypeId,
    keyCounter: number,
    { min, max }: { readonly min: number; readonly max: number },
  ): Promise<readonly RevocationEvent[]> {
    const stored = await this.#engine.all<EventTable>(this.#queries.events(type, keyCounter, min, max))
    return stored.map(({ number: index, e, parent_hash: parentHash }) => ({
      index,
      e: integerOf(e),
      parentHash,
    }))
  }

  addRecord(record: IssuanceRecord): Promise<boolean> {
    return this.#engine.run(this.#queries.addRecord(recordToTable(record)), true)
  }

  async findRecord(type: CredentialTypeId, keyCounter: number, e: bigint): Promise<IssuanceRecord | null> {
    const [stored] = await this.#engine.all<RecordTable>(
      this.#queries.findRecord(type, keyCounter, bytesOf(e)),
    )
    return stored ? recordFromTable(stored) : null
  }

  async hasRecords(type: CredentialTypeId, keyCounter: number): Promise<boolean> {
    return (await this.#engine.all(this.#queries.anyRecord(type, keyCounter))).length > 0
  }

  async unrevoked(type: CredentialTypeId, revocationKey: string): Promise<readonly StoredRecord[]> {
    const query = this.#queries.unrevoked(type, new TextEncoder().encode(revocationKey))
    const stored = await this.#engine.all<RecordTable & { readonly id: number }>(query)
    return stored.map(({ id, ...row }) => ({ id, record: recordFromTable(row) }))
  }

  async dropRecords(validUntilBeforeSec: number): Promise<void> {
    await this.#engine.run(this.#queries.dropRecords(validUntilBeforeSec))
  }

  /** The writes of a commit that changes the accumulator, in this order. */
  setting({ row, events = [], revoked }: AccumulatorChange): readonly Write[] {
    const { type, keyCounter: key_counter } = row
    const accumulator = accumulatorToTable(row)
    const set = row.version === 1 ? this.#queries.create(accumulator) : this.#queries.update(accumulator)
    const added = events.map(({ index, e, parentHash: parent_hash }) =>
      this.#queries.addEvent({ type, key_counter, number: index, e: bytesOf(e), parent_hash }),
    )
    // a record that is already revoked counts as a wrong version
    const ended = (revoked?.ids ?? []).map(id => this.#queries.setRevoked(id, String(revoked?.atNs)))
    return [
      { query: set, mustChange: true },
      ...added.map(query => ({ query, mustChange: false })),
      ...ended.map(query => ({ query, mustChange: true })),
    ]
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
