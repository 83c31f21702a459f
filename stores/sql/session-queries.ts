/** The statements of sessions. @module */
import { sql } from 'kysely'
import type { SessionId } from '../session-store.ts'
import { columnTypesOf } from './column-types.ts'
import { PreparedQueries, type Query } from './prepared-queries.ts'
import type { changesOf } from './rows.ts'
import type { SessionTable } from './schema.ts'

export class SessionQueries extends PreparedQueries {
  load(id: SessionId): Query {
    return this.query('load', { id }, (db, { id }) =>
      db.selectFrom('sessions').selectAll().where('id', '=', id),
    )
  }

  findByRequestorToken(hash: string): Query {
    return this.query('findByRequestorToken', { hash }, (db, { hash }) =>
      db.selectFrom('sessions').select('id').where('requestor_token_hash', '=', hash),
    )
  }

  /** Changes no row if the id exists. */
  create(row: SessionTable): Query {
    return this.query('create', row, (db, row) =>
      db
        .insertInto('sessions')
        .values(row)
        .onConflict(conflict => conflict.column('id').doNothing()),
    )
  }

  insert(row: SessionTable): Query {
    return this.query('insert', row, (db, row) => db.insertInto('sessions').values(row))
  }

  /** The compare-and-set: changes no row if another version is stored. */
  update(id: SessionId, stored: number, changes: ReturnType<typeof changesOf>): Query {
    return this.query('update', { ...changes, id, stored }, (db, { id, stored, ...changes }) =>
      db.updateTable('sessions').set(changes).where('id', '=', id).where('version', '=', stored),
    )
  }

  delete(id: SessionId, version: number): Query {
    return this.query('delete', { id, version }, (db, { id, version }) =>
      db.deleteFrom('sessions').where('id', '=', id).where('version', '=', version),
    )
  }

  due(at: number, chart: number, limit: number): Query {
    return this.query('due', { at, chart, limit }, (db, { at, chart, limit }) =>
      db
        .selectFrom('sessions')
        .select('id')
        .where('due_at', '<=', at)
        .where(where => where.or([where('chart', 'is', null), where('chart', '<=', chart)]))
        .orderBy('due_at')
        .limit(limit),
    )
  }

  nextDueAfter(at: number, chart: number): Query {
    return this.query('nextDueAfter', { at, chart }, (db, { at, chart }) =>
      db
        .selectFrom('sessions')
        .select('due_at')
        .where('due_at', '>', at)
        .where(where => where.or([where('chart', 'is', null), where('chart', '<=', chart)]))
        .orderBy('due_at')
        .limit(1),
    )
  }

  dropAnswers(answeredBefore: number): Query {
    return this.query('dropAnswers', { answeredBefore }, (db, { answeredBefore }) =>
      db
        .updateTable('sessions')
        .set({ answered_call: null, answered_version: null, answered_at: null, answer: null })
        .where('answered_at', '<', answeredBefore),
    )
  }

  newest(limit: number): Query {
    return this.query('newest', { limit }, (db, { limit }) =>
      db
        .selectFrom('sessions')
        .select(['id', 'version', 'chart', 'status', 'deadline_at', 'claim', 'requestor', 'snapshot'])
        .orderBy(sql.ref(columnTypesOf(db).sessionNumber), 'desc')
        .limit(limit),
    )
  }

  count(): Query {
    return this.query('count', {}, db =>
      db.selectFrom('sessions').select(select => select.fn.countAll<number>().as('total')),
    )
  }
}
