/** The statements of the revocation store. @module */
import { BuiltQueries, type Query } from './prepared-queries.ts'
import type { AccumulatorTable, EventTable, RecordTable } from './schema.ts'

/** Of a record that is not revoked. */
export const NEVER = '0'

export class RevocationQueries extends BuiltQueries {
  load(type: string, keyCounter: number): Query {
    return this.query('load', [type, keyCounter], db =>
      db
        .selectFrom('accumulators')
        .selectAll()
        .where('type', '=', type)
        .where('key_counter', '=', keyCounter),
    )
  }

  loadAll(type: string): Query {
    return this.query('loadAll', [type], db =>
      db.selectFrom('accumulators').selectAll().where('type', '=', type).orderBy('key_counter'),
    )
  }

  /** Changes no row if there is one. */
  create(row: AccumulatorTable): Query {
    return this.query('create', Object.values(row), db =>
      db
        .insertInto('accumulators')
        .values(row)
        .onConflict(conflict => conflict.doNothing()),
    )
  }

  /** The compare-and-set: changes no row if the stored version is not the one before. */
  update({ type, key_counter, ...changes }: AccumulatorTable): Query {
    const before = changes.version - 1
    return this.query('update', [...Object.values(changes), type, key_counter, before], db =>
      db
        .updateTable('accumulators')
        .set(changes)
        .where('type', '=', type)
        .where('key_counter', '=', key_counter)
        .where('version', '=', before),
    )
  }

  events(type: string, keyCounter: number, min: number, max: number): Query {
    return this.query('events', [type, keyCounter, min, max], db =>
      db
        .selectFrom('revocation_events')
        .selectAll()
        .where('type', '=', type)
        .where('key_counter', '=', keyCounter)
        .where('number', '>=', min)
        .where('number', '<', max)
        .orderBy('number'),
    )
  }

  addEvent(row: EventTable): Query {
    return this.query('addEvent', Object.values(row), db => db.insertInto('revocation_events').values(row))
  }

  addRecord(row: RecordTable): Query {
    return this.query('addRecord', Object.values(row), db =>
      db
        .insertInto('issuance_records')
        .values(row)
        .onConflict(conflict => conflict.columns(['type', 'key_counter', 'e']).doNothing()),
    )
  }

  findRecord(type: string, keyCounter: number, e: Uint8Array): Query {
    return this.query('findRecord', [type, keyCounter, e], db =>
      db
        .selectFrom('issuance_records')
        .selectAll()
        .where('type', '=', type)
        .where('key_counter', '=', keyCounter)
        .where('e', '=', e),
    )
  }

  unrevoked(type: string, revocationKey: Uint8Array): Query {
    return this.query('unrevoked', [type, revocationKey, NEVER], db =>
      db
        .selectFrom('issuance_records')
        .selectAll()
        .where('type', '=', type)
        .where('revocation_key', '=', revocationKey)
        .where('revoked_at_ns', '=', NEVER)
        .orderBy('id'),
    )
  }

  /** Changes no row if it is revoked. */
  setRevoked(id: number, atNs: string): Query {
    return this.query('setRevoked', [atNs, id, NEVER], db =>
      db
        .updateTable('issuance_records')
        .set({ revoked_at_ns: atNs })
        .where('id', '=', id)
        .where('revoked_at_ns', '=', NEVER),
    )
  }

  dropRecords(beforeSec: number): Query {
    return this.query('dropRecords', [beforeSec], db =>
      db.deleteFrom('issuance_records').where('valid_until_sec', '<', beforeSec),
    )
  }
}
