/** Revocation in the SQLite file of the sessions. Nothing of it is kept in memory. @module */
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
import type { Query } from '../sql/prepared-queries.ts'
import { RevocationQueries } from '../sql/revocation-queries.ts'
import type { AccumulatorTable, EventTable, RecordTable, Tables } from '../sql/schema.ts'
import type { GroupCommit } from './group-commit.ts'
import type { Statements } from './statements.ts'

type Deps = {
  readonly db: Kysely<Tables>
  readonly statements: Statements
  readonly commits: GroupCommit
}

/** Another version is stored: what the transaction has done so far is undone. */
class Lost extends Error {}

export class SqliteRevocationStore implements RevocationStore {
  readonly #deps: Deps
  readonly #queries: RevocationQueries

  constructor(deps: Deps) {
    this.#deps = deps
    this.#queries = new RevocationQueries(deps.db)
  }

  async load(type: CredentialTypeId, keyCounter: number): Promise<AccumulatorRow | null> {
    const stored = this.#all<AccumulatorTable>(this.#queries.load(type, keyCounter))[0]
    return stored ? accumulatorFromTable(stored) : null
  }

  async loadAll(type: CredentialTypeId): Promise<readonly AccumulatorRow[]> {
    return this.#all<AccumulatorTable>(this.#queries.loadAll(type)).map(accumulatorFromTable)
  }

  async events(
    type: CredentialTypeId,
    keyCounter: number,
    { min, max }: { readonly min: number; readonly max: number },
  ): Promise<readonly RevocationEvent[]> {
    return this.#all<EventTable>(this.#queries.events(type, keyCounter, min, max)).map(
      ({ number: index, e, parent_hash: parentHash }) => ({ index, e: integerOf(e), parentHash }),
    )
  }

  async commit(changes: readonly AccumulatorChange[]): Promise<boolean> {
    const run = (): boolean => {
      for (const change of changes) this.#write(change)
      return true
    }
    const isDurable = changes.some(({ events = [] }) => events.length > 0)
    try {
      return await this.#deps.commits.commit({ run, isOneStatement: false, isDurable })
    } catch (error) {
      if (error instanceof Lost) return false
      throw error
    }
  }

  addRecord(record: IssuanceRecord): Promise<boolean> {
    const query = this.#queries.addRecord(recordToTable(record))
    const run = (): boolean => this.#run(query) > 0
    return this.#deps.commits.commit({ run, isOneStatement: true, isDurable: true })
  }

  async findRecord(type: CredentialTypeId, keyCounter: number, e: bigint): Promise<IssuanceRecord | null> {
    const stored = this.#all<RecordTable>(this.#queries.findRecord(type, keyCounter, bytesOf(e)))[0]
    return stored ? recordFromTable(stored) : null
  }

  async unrevoked(type: CredentialTypeId, revocationKey: string): Promise<readonly StoredRecord[]> {
    const query = this.#queries.unrevoked(type, new TextEncoder().encode(revocationKey))
    return this.#all<RecordTable & { readonly id: number }>(query).map(({ id, ...row }) => ({
      id,
      record: recordFromTable(row),
    }))
  }

  async dropRecords(validUntilBeforeSec: number): Promise<void> {
    const run = (): boolean => this.#run(this.#queries.dropRecords(validUntilBeforeSec)) > 0
    await this.#deps.commits.commit({ run, isOneStatement: true })
  }

  #write({ row, events = [], revoked }: AccumulatorChange): void {
    const { type, keyCounter: key_counter } = row
    const accumulator = accumulatorToTable(row)
    const set = row.version === 1 ? this.#queries.create(accumulator) : this.#queries.update(accumulator)
    if (this.#run(set) === 0) throw new Lost()
    for (const { index, e, parentHash: parent_hash } of events)
      this.#run(this.#queries.addEvent({ type, key_counter, number: index, e: bytesOf(e), parent_hash }))
    for (const id of revoked?.ids ?? [])
      if (this.#run(this.#queries.setRevoked(id, String(revoked?.atNs))) === 0) throw new Lost()
  }

  #all<Row>({ sql, values }: Query): Row[] {
    return this.#deps.statements.all<Row>(sql, values)
  }

  #run({ sql, values }: Query): number {
    return this.#deps.statements.run(sql, values)
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
