/** The tables of an existing authority of revocation (spec/cryptography#14): accumulators with their events, and issuance records. @module */
import { integerOf } from '../../crypto/bytes.ts'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { readCbor } from '../../crypto/revocation/cbor.ts'
import { RevocationDataError } from '../../crypto/revocation/error.ts'
import {
  EXPECTED_PRIME,
  type IssuanceRecord,
  isCredentialPrime,
} from '../../crypto/revocation/issuance-record.ts'
import { ImportSource, type Table } from './source.ts'

/** The update has all events, from number 0. */
export type SourceAccumulator = { readonly type: string; readonly update: RevocationUpdate }

/** The number of events of a type and key without an accumulator. */
export type EventsAlone = { readonly type: string; readonly keyCounter: number; readonly events: number }

/** The place of a record in the order of the source. */
type RecordPlace = Pick<IssuanceRecord, 'revocationKey' | 'credentialType' | 'issuedAtNs'>

/** The tables are in the default schema of the connection. */
const TABLES: readonly Table[] = [
  { schema: null, name: 'accumulator_records', columns: ['cred_type', 'pk_counter', 'data'] },
  {
    schema: null,
    name: 'event_records',
    columns: ['eventindex', 'cred_type', 'pk_counter', 'e', 'parent_hash'],
  },
  {
    schema: null,
    name: 'issuance_records',
    columns: ['revocationkey', 'cred_type', 'issued', 'pk_counter', 'attr', 'valid_until', 'revoked_at'],
  },
]

/** The most bytes of a signed accumulator. */
const MAX_SIGNED = 10_000

/** The tables allow null in all columns that are no part of a key. */
type AccumulatorRow = {
  readonly cred_type: string
  readonly pk_counter: string
  readonly data: Uint8Array | null
}
type EventRow = {
  readonly eventindex: string
  readonly e: Uint8Array | null
  readonly parent_hash: Uint8Array | null
}
type RecordRow = {
  readonly revocationkey: string
  readonly cred_type: string
  readonly issued: string
  readonly pk_counter: string | null
  readonly attr: Uint8Array | null
  readonly valid_until: string | null
  readonly revoked_at: string | null
}

export class RevocationSource {
  readonly #source: ImportSource

  private constructor(source: ImportSource) {
    this.#source = source
  }

  /** @param address `postgres://...`, secret
   *  @throws {Error} that says expected and got */
  static async open(address: string): Promise<RevocationSource> {
    return new RevocationSource(await ImportSource.open(address, TABLES, 'an authority of revocation'))
  }

  get name(): string {
    return this.#source.name
  }

  /** @throws {Error} that names the table and the type, for a missing or damaged value */
  accumulators(): Promise<readonly SourceAccumulator[]> {
    return this.#source.atOnce(async () => {
      const rows = await this.#source.all<AccumulatorRow>(
        'select cred_type, pk_counter, data from accumulator_records order by cred_type, pk_counter',
      )
      const found: SourceAccumulator[] = []
      for (const { cred_type: type, pk_counter: counter, data } of rows) {
        const events = await this.#source.all<EventRow>(
          'select eventindex, e, parent_hash from event_records where cred_type = $1 and pk_counter = $2 order by eventindex',
          [type, counter],
        )
        const required = this.#valuesOf('event_records', type)
        const signed = this.#signedIn(type, data)
        found.push({
          type,
          update: {
            signed: { data: signed, keyCounter: Number(counter) },
            events: events.map(({ eventindex, e, parent_hash: parentHash }) => ({
              index: Number(eventindex),
              e: integerOf(required('e', e)),
              parentHash: new Uint8Array(required('parent_hash', parentHash)),
            })),
          },
        })
      }
      return found
    })
  }

  /** The types and keys that have events and no accumulator. */
  async eventsAlone(): Promise<readonly EventsAlone[]> {
    const rows = await this.#source.all<Record<'type' | 'counter' | 'events', string>>(
      `select cred_type as type, pk_counter as counter, count(*) as events from event_records
        where (cred_type, pk_counter) not in (select cred_type, pk_counter from accumulator_records)
        group by cred_type, pk_counter order by cred_type, pk_counter`,
    )
    return rows.map(({ type, counter, events }) => ({
      type,
      keyCounter: Number(counter),
      events: Number(events),
    }))
  }

  /** @returns the signed bytes of an accumulator */
  #signedIn(type: string, data: Uint8Array | null): Uint8Array {
    const table = 'accumulator_records'
    const whole = this.#valuesOf(table, type)('data', data)
    try {
      return readCbor(whole, 'accumulator', reader => reader.bytes(MAX_SIGNED))
    } catch (error) {
      if (error instanceof RevocationDataError) throw this.#refusal(table, type, error.message)
      throw error
    }
  }

  /** @returns a function that gives the value of a column, and throws if there is none */
  #valuesOf(table: string, type: string) {
    return <Value>(column: string, value: Value | null): Value => {
      if (value === null) throw this.#refusal(table, type, `expected a value of ${column}, got none`)
      return value
    }
  }

  #refusal(table: string, type: string, got: string): Error {
    return new Error(`${this.name}: ${table} of ${type}: ${got}`)
  }

  /** The records behind that place.
   *  @param after null: from the first on
   *  @throws {Error} that names the table and the type, for a missing value, a negative time, and an attr that is not a prime */
  async records(after: RecordPlace | null, limit: number): Promise<readonly IssuanceRecord[]> {
    const place = after === null ? [] : [after.revocationKey, after.credentialType, String(after.issuedAtNs)]
    const condition = after === null ? '' : 'where (revocationkey, cred_type, issued) > ($2, $3, $4)'
    const rows = await this.#source.all<RecordRow>(
      `select revocationkey, cred_type, issued, pk_counter, attr, valid_until, revoked_at
        from issuance_records ${condition} order by revocationkey, cred_type, issued limit $1`,
      [limit, ...place],
    )
    return rows.map(row => this.#recordOf(row))
  }

  #recordOf(row: RecordRow): IssuanceRecord {
    const { revocationkey: revocationKey, cred_type: credentialType } = row
    const [table, required] = ['issuance_records', this.#valuesOf('issuance_records', credentialType)]
    const timeIn = (column: string, value: string | null): bigint => {
      const time = BigInt(required(column, value))
      if (time >= 0n) return time
      throw this.#refusal(table, credentialType, `expected ${column} from 0 on, got a negative time`)
    }
    const e = integerOf(required('attr', row.attr))
    if (!isCredentialPrime(e)) throw this.#refusal(table, credentialType, `attr: ${EXPECTED_PRIME}`)
    return {
      revocationKey,
      credentialType,
      issuedAtNs: timeIn('issued', row.issued),
      keyCounter: Number(required('pk_counter', row.pk_counter)),
      e,
      validUntilNs: timeIn('valid_until', row.valid_until),
      revokedAtNs: timeIn('revoked_at', row.revoked_at ?? '0'),
    }
  }

  /** @throws {Error} that names the type, if two records are of one credential: its prime occurs twice */
  async refuseRepeatedPrimes(): Promise<void> {
    const rows = await this.#source.all<Pick<RecordRow, 'cred_type'>>(
      `select cred_type from issuance_records
        group by cred_type, pk_counter, attr having count(*) > 1 and attr is not null order by cred_type limit 1`,
    )
    const [repeated] = rows
    if (repeated)
      throw this.#refusal(
        'issuance_records',
        repeated.cred_type,
        'attr: expected each value once, got one twice',
      )
  }

  close(): Promise<void> {
    return this.#source.close()
  }
}
