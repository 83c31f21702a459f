/** The statements of the delivery store. @module */
import { sql } from 'kysely'
import { BuiltQueries, type Query } from './prepared-queries.ts'
import type { DeliveryTable } from './schema.ts'

/** What a commit writes; the other columns are fixed when the delivery becomes owed. */
function changesOf(row: DeliveryTable) {
  const { version, chart, state, due_at, give_up_at, attempts, boot_id, last_outcome, message } = row
  return { version, chart, state, due_at, give_up_at, attempts, boot_id, last_outcome, message }
}

export class DeliveryQueries extends BuiltQueries {
  load(id: string): Query {
    return this.query('load', [id], db => db.selectFrom('deliveries').selectAll().where('id', '=', id))
  }

  insert(row: DeliveryTable): Query {
    return this.query('insert', Object.values(row), db => db.insertInto('deliveries').values(row))
  }

  /** The compare-and-set: changes no row if the stored version is another. */
  update(row: DeliveryTable, version: number): Query {
    const changes = changesOf(row)
    return this.query('update', [...Object.values(changes), row.id, version], db =>
      db.updateTable('deliveries').set(changes).where('id', '=', row.id).where('version', '=', version),
    )
  }

  delete(id: string, version: number): Query {
    return this.query('delete', [id, version], db =>
      db.deleteFrom('deliveries').where('id', '=', id).where('version', '=', version),
    )
  }

  dueOf(host: string, at: number, limit: number): Query {
    return this.query('dueOf', [host, at, limit], db =>
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
    return this.query('nextDueAfter', [at, 1], db =>
      db.selectFrom('deliveries').select('due_at').where('due_at', '>', at).orderBy('due_at').limit(1),
    )
  }

  dueHosts(at: number, limit: number): Query {
    return this.query('dueHosts', [at, limit], db =>
      db
        .selectFrom('deliveries')
        .select(sql<string>`host || ''`.as('host')) // by its bare name SQLite would walk all rows, in the order of hosts
        .distinct()
        .where('due_at', '<=', at)
        .limit(limit),
    )
  }

  sending(): Query {
    return this.query('sending', ['sending'], db =>
      db.selectFrom('deliveries').select('id').where('state', '=', 'sending'),
    )
  }

  list(): Query {
    return this.query('list', [], db => db.selectFrom('deliveries').selectAll().orderBy('number'))
  }
}
