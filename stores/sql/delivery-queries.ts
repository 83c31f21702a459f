/** The statements of deliveries. @module */
import { sql } from 'kysely'
import type { DeliveryParty } from '../delivery-store.ts'
import { PreparedQueries, type Query } from './prepared-queries.ts'
import { deliveryChangesOf } from './rows.ts'
import type { DeliveryTable } from './schema.ts'

export class DeliveryQueries extends PreparedQueries {
  load(id: string): Query {
    return this.query('load', { id }, (db, { id }) =>
      db.selectFrom('deliveries').selectAll().where('id', '=', id),
    )
  }

  insert(row: DeliveryTable): Query {
    return this.query('insert', row, (db, row) => db.insertInto('deliveries').values(row))
  }

  /** The compare-and-set: changes no row if another version is stored. */
  update(id: string, stored: number, row: DeliveryTable): Query {
    return this.query('update', { ...deliveryChangesOf(row), id, stored }, (db, { id, stored, ...changes }) =>
      db.updateTable('deliveries').set(changes).where('id', '=', id).where('version', '=', stored),
    )
  }

  delete(id: string, version: number): Query {
    return this.query('delete', { id, version }, (db, { id, version }) =>
      db.deleteFrom('deliveries').where('id', '=', id).where('version', '=', version),
    )
  }

  dueOf(host: string, at: number, limit: number): Query {
    return this.query('dueOf', { host, at, limit }, (db, { host, at, limit }) =>
      db
        .selectFrom('deliveries')
        .select('id')
        .where('host', '=', host)
        .where('due_at', '<=', at)
        .orderBy('due_at')
        .limit(limit),
    )
  }

  nextDueAfter(at: number): Query {
    return this.query('nextDueAfter', { at }, (db, { at }) =>
      db.selectFrom('deliveries').select('due_at').where('due_at', '>', at).orderBy('due_at').limit(1),
    )
  }

  dueHosts(at: number, limit: number): Query {
    return this.query('dueHosts', { at, limit }, (db, { at, limit }) =>
      db
        .selectFrom('deliveries')
        .select(sql<string>`host || ''`.as('host')) // with the bare column SQLite would scan all rows in the order of hosts
        .distinct()
        .where('due_at', '<=', at)
        .limit(limit),
    )
  }

  sending(): Query {
    return this.query('sending', {}, db =>
      db.selectFrom('deliveries').select('id').where('state', '=', 'sending'),
    )
  }

  newest(limit: number): Query {
    return this.query('newest', { limit }, (db, { limit }) =>
      db
        .selectFrom('deliveries')
        .select(['id', 'version', 'state', 'status', 'owed_at', 'due_at', 'give_up_at', 'attempts'])
        .orderBy('number', 'desc')
        .limit(limit),
    )
  }

  count(): Query {
    return this.query('count', {}, db =>
      db.selectFrom('deliveries').select(select => select.fn.countAll<number>().as('total')),
    )
  }

  /** Uses the partial indices of deliveries that have not ended: only these have a message. */
  countOwed(by: DeliveryParty, limit: number): Query {
    const [column, name] =
      'host' in by ? (['host', by.host] as const) : (['requestor', by.requestor] as const)
    return this.query(`countOwed ${column}`, { name, limit }, (db, { name, limit }) =>
      db
        .selectFrom(
          db
            .selectFrom('deliveries')
            .select('id')
            .where(column, '=', name)
            .where('message', 'is not', null)
            .limit(limit)
            .as('owed'),
        )
        .select(select => select.fn.countAll<number>().as('total')),
    )
  }

  list(): Query {
    return this.query('list', {}, db => db.selectFrom('deliveries').selectAll().orderBy('number'))
  }
}
