/** The statements of revocation. @module */
import { PreparedQueries, type Query } from './prepared-queries.ts'
import type { AccumulatorTable, EventTable, RecordTable } from './schema.ts'

/** The time of revocation of a record that is not revoked. */
const NEVER = '0'

export class RevocationQueries extends PreparedQueries {
  load(type: string, keyCounter: number): Query {
    return this.query('load', { type, keyCounter }, (db, { type, keyCounter }) =>
      db
        .selectFrom('accumulators')
        .selectAll()
        .where('type', '=', type)
        .where('key_counter', '=', keyCounter),
    )
  }

  loadAll(type: string): Query {
    return this.query('loadAll', { type }, (db, { type }) =>
      db.selectFrom('accumulators').selectAll().where('type', '=', type).orderBy('key_counter'),
    )
  }

  /** Changes no row if the accumulator exists. */
  create(row: AccumulatorTable): Query {
    return this.query('create', row, (db, row) =>
      db
        .insertInto('accumulators')
        .values(row)
        .onConflict(conflict => conflict.doNothing()),
    )
  }

  /** The compare-and-set: changes no row unless the version before is stored. */
  update(row: AccumulatorTable): Query {
    const values = { ...row, stored: row.version - 1 }
    return this.query('update', values, (db, { type, key_counter, stored, ...changes }) =>
      db
        .updateTable('accumulators')
        .set(changes)
        .where('type', '=', type)
        .where('key_counter', '=', key_counter)
        .where('version', '=', stored),
    )
  }

  events(type: string, keyCounter: number, min: number, max: number): Query {
    return this.query('events', { type, keyCounter, min, max }, (db, { type, keyCounter, min, max }) =>
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
    return this.query('addEvent', row, (db, row) => db.insertInto('revocation_events').values(row))
  }

  addRecord(row: RecordTable): Query {
    return this.query('addRecord', row, (db, row) =>
      db
        .insertInto('issuance_records')
        .values(row)
        .onConflict(conflict => conflict.columns(['type', 'key_counter', 'e']).doNothing()),
    )
  }

  findRecord(type: string, keyCounter: number, e: Uint8Array): Query {
    return this.query('findRecord', { type, keyCounter, e }, (db, { type, keyCounter, e }) =>
      db
        .selectFrom('issuance_records')
        .selectAll()
        .where('type', '=', type)
        .where('key_counter', '=', keyCounter)
        .where('e', '=', e),
    )
  }

  anyRecord(type: string, keyCounter: number): Query {
    return this.query('anyRecord', { type, keyCounter }, (db, { type, keyCounter }) =>
      db
        .selectFrom('issuance_records')
        .select('id')
        .where('type', '=', type)
        .where('key_counter', '=', keyCounter)
        .limit(1),
    )
  }

  unrevoked(type: string, revocationKey: Uint8Array): Query {
    return this.query('unrevoked', { type, revocationKey }, (db, { type, revocationKey }) =>
      db
        .selectFrom('issuance_records')
        .selectAll()
        .where('type', '=', type)
        .where('revocation_key', '=', revocationKey)
        .where('revoked_at_ns', '=', NEVER)
        .orderBy('id'),
    )
  }

  /** Changes no row if the record is already revoked. */
  setRevoked(id: number, atNs: string): Query {
    return this.query('setRevoked', { id, atNs }, (db, { id, atNs }) =>
      db
        .updateTable('issuance_records')
        .set({ revoked_at_ns: atNs })
        .where('id', '=', id)
        .where('revoked_at_ns', '=', NEVER),
    )
  }

  dropRecords(beforeSec: number): Query {
    return this.query('dropRecords', { beforeSec }, (db, { beforeSec }) =>
      db.deleteFrom('issuance_records').where('valid_until_sec', '<', beforeSec),
    )
  }
}
