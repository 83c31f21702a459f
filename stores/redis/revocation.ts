/** Revocation in a Redis server. This class caches nothing, and the keys never expire. The settings of the server decide if they survive a power cut
 *  (server-checks.ts). @module */
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
import type { Keys } from './keys.ts'
import { idsIn, type RedisPart, textsIn } from './part.ts'
import { accumulatorRow, base64Of, eventOf, recordOf, textOfEvent, textOfRecord } from './revocation-texts.ts'
import { type Change, type Check, isNew } from './transaction.ts'

/** The time of revocation of a record that is not revoked. */
const NEVER = '0'
/** The maximum number of records per batch of deletions. */
const FORGOTTEN = '1000'

export type RedisRevocationDeps = {
  readonly part: RedisPart
  /** commits only this change */
  readonly commit: (change: Change) => Promise<'committed' | 'lost' | 'exists'>
}

export class RedisRevocation implements RevocationStore {
  readonly #part: RedisPart
  readonly #keys: Keys
  readonly #commit: RedisRevocationDeps['commit']

  constructor({ part, commit }: RedisRevocationDeps) {
    this.#part = part
    this.#keys = part.keys
    this.#commit = commit
  }

  async load(type: CredentialTypeId, keyCounter: number): Promise<AccumulatorRow | null> {
    const key = this.#keys.accumulator(type, keyCounter)
    const values = textsIn(await this.#part.read(['HMGET', key, 'v', 'signed', 'index']))
    return accumulatorRow(type, keyCounter, values)
  }

  async loadAll(type: CredentialTypeId): Promise<readonly AccumulatorRow[]> {
    const counters = idsIn(await this.#part.read(['ZRANGE', this.#keys.counters(type), '0', '-1']))
    const rows = await Promise.all(counters.map(counter => this.load(type, Number(counter))))
    return rows.filter(row => row !== null)
  }

  async events(
    type: CredentialTypeId,
    keyCounter: number,
    { min, max }: { readonly min: number; readonly max: number },
  ): Promise<readonly RevocationEvent[]> {
    const range = ['ZRANGE', this.#keys.events(type, keyCounter), String(min), `(${max}`, 'BYSCORE']
    return idsIn(await this.#part.read(range)).map(eventOf)
  }

  async addRecord(record: IssuanceRecord): Promise<boolean> {
    const { recordNumber, records } = this.#keys
    const { credentialType: type, keyCounter, e, revocationKey, revokedAtNs } = record
    const id = String(await this.#part.read(['INCR', recordNumber]))
    const name = this.#keys.recordOf(type, keyCounter, e)
    const outcome = await this.#commit({
      checks: [isNew(name)],
      writes: [
        ['hset', this.#keys.record + id, 'record', textOfRecord(record), 'revoked', String(revokedAtNs)],
        ['set', name, id],
        ['zadd', records, String(validUntilSecOf(record)), id],
        ...(revokedAtNs === 0n ? [['zadd', this.#keys.unrevoked(type, revocationKey), id, id]] : []),
      ],
    })
    return outcome === 'committed'
  }

  async findRecord(type: CredentialTypeId, keyCounter: number, e: bigint): Promise<IssuanceRecord | null> {
    const id = await this.#part.read(['GET', this.#keys.recordOf(type, keyCounter, e)])
    return typeof id === 'string' ? this.#record(id) : null
  }

  /** Reads all records until one fits: a start asks only for a key without an accumulator. */
  async hasRecords(type: CredentialTypeId, keyCounter: number): Promise<boolean> {
    for (let from = 0; ; from += Number(FORGOTTEN)) {
      const range = ['ZRANGE', this.#keys.records, String(from), String(from + Number(FORGOTTEN) - 1)]
      const ids = idsIn(await this.#part.read(range))
      if (ids.length === 0) return false
      for (const id of ids) {
        const record = await this.#record(id)
        if (record?.credentialType === type && record.keyCounter === keyCounter) return true
      }
    }
  }

  async unrevoked(type: CredentialTypeId, revocationKey: string): Promise<readonly StoredRecord[]> {
    const set = this.#keys.unrevoked(type, revocationKey)
    const ids = idsIn(await this.#part.read(['ZRANGE', set, '0', '-1']))
    const found = await Promise.all(ids.map(async id => ({ id: Number(id), record: await this.#record(id) })))
    return found.flatMap(({ id, record }) => (record ? [{ id, record }] : []))
  }

  /** Deletes in batches, each record in its own commit. Expired records may still be read meanwhile. */
  async dropRecords(validUntilBeforeSec: number): Promise<void> {
    const range = ['-inf', `(${validUntilBeforeSec}`, 'BYSCORE', 'LIMIT', '0', FORGOTTEN]
    const ids = idsIn(await this.#part.read(['ZRANGE', this.#keys.records, ...range]))
    for (const id of ids) await this.#drop(id)
    if (ids.length === Number(FORGOTTEN)) await this.dropRecords(validUntilBeforeSec)
  }

  /** The checks and writes of a commit that changes the accumulator. A record that is already revoked counts as a wrong version. */
  async setting({ row, events = [], revoked }: AccumulatorChange): Promise<Change> {
    const { type, keyCounter, version, signed, index } = row
    const key = this.#keys.accumulator(type, keyCounter)
    const ofEvents = this.#keys.events(type, keyCounter)
    const ids = revoked?.ids.map(String) ?? []
    const sets = await Promise.all(ids.map(id => this.#setOf(id)))
    const stored = version === 1 ? '' : String(version - 1)
    return {
      checks: [
        { command: ['hget', key, 'v'], expected: stored, otherwise: 'lost' },
        ...events.map((event): Check => {
          const at = String(event.index)
          return { command: ['zcount', ofEvents, at, at], expected: '0', otherwise: 'exists' }
        }),
        ...ids.map((id): Check => {
          return { command: ['hget', this.#keys.record + id, 'revoked'], expected: NEVER, otherwise: 'lost' }
        }),
      ],
      writes: [
        ['hset', key, 'v', String(version), 'signed', base64Of(signed.data), 'index', String(index)],
        ['zadd', this.#keys.counters(type), String(keyCounter), String(keyCounter)],
        ...events.map(event => ['zadd', ofEvents, String(event.index), textOfEvent(event)]),
        ...ids.map(id => ['hset', this.#keys.record + id, 'revoked', String(revoked?.atNs)]),
        ...ids.flatMap((id, i) => (sets[i] ? [['zrem', sets[i], id]] : [])),
      ],
    }
  }

  async #record(id: string): Promise<IssuanceRecord | null> {
    return recordOf(textsIn(await this.#part.read(['HMGET', this.#keys.record + id, 'record', 'revoked'])))
  }

  /** @returns the set of unrevoked records that may contain the record */
  async #setOf(id: string): Promise<string | null> {
    const record = await this.#record(id)
    return record && this.#keys.unrevoked(record.credentialType, record.revocationKey)
  }

  async #drop(id: string): Promise<void> {
    const record = await this.#record(id)
    const { credentialType: type = '', keyCounter = 0, e = 0n, revocationKey = '' } = record ?? {}
    const keys = [this.#keys.record + id, this.#keys.recordOf(type, keyCounter, e)]
    const sets = [this.#keys.unrevoked(type, revocationKey), this.#keys.records]
    await this.#commit({ checks: [], writes: [['del', ...keys], ...sets.map(set => ['zrem', set, id])] })
  }
}
