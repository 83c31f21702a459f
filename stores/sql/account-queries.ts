/** The statements of accounts. @module */
import type { AccountId } from '../account-store.ts'
import type { accountChangesOf } from './account-rows.ts'
import { PreparedQueries, type Query } from './prepared-queries.ts'
import type { AccountTable } from './schema.ts'

export class AccountQueries extends PreparedQueries {
  load(id: AccountId): Query {
    return this.query('load', { id }, (db, { id }) =>
      db.selectFrom('accounts').selectAll().where('id', '=', id),
    )
  }

  /** Changes no row if the id exists. */
  create(row: AccountTable): Query {
    return this.query('create', row, (db, row) =>
      db
        .insertInto('accounts')
        .values(row)
        .onConflict(conflict => conflict.column('id').doNothing()),
    )
  }

  /** The compare-and-set: changes no row if another version is stored. */
  update(id: AccountId, stored: number, changes: ReturnType<typeof accountChangesOf>): Query {
    return this.query('update', { ...changes, id, stored }, (db, { id, stored, ...changes }) =>
      db.updateTable('accounts').set(changes).where('id', '=', id).where('version', '=', stored),
    )
  }

  /** Rows that belong to the account are deleted with it. */
  delete(id: AccountId, version: number): Query {
    return this.query('delete', { id, version }, (db, { id, version }) =>
      db.deleteFrom('accounts').where('id', '=', id).where('version', '=', version),
    )
  }

  findByTokenIdHash(hash: string): Query {
    return this.query('findByTokenIdHash', { hash }, (db, { hash }) =>
      db.selectFrom('accounts').select('id').where('token_id_hash', '=', hash),
    )
  }

  due(at: number, chart: number, limit: number): Query {
    return this.query('due', { at, chart, limit }, (db, { at, chart, limit }) =>
      db
        .selectFrom('accounts')
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
        .selectFrom('accounts')
        .select('due_at')
        .where('due_at', '>', at)
        .where(where => where.or([where('chart', 'is', null), where('chart', '<=', chart)]))
        .orderBy('due_at')
        .limit(1),
    )
  }

  newest(limit: number): Query {
    return this.query('newest', { limit }, (db, { limit }) =>
      db
        .selectFrom('accounts')
        .select(['id', 'version', 'chart', 'snapshot', 'attempts', 'blocked_until', 'delete_at'])
        .select(['due_at', 'seen_at'])
        .orderBy('seen_at', 'desc')
        .limit(limit),
    )
  }

  count(): Query {
    return this.query('count', {}, db =>
      db.selectFrom('accounts').select(select => select.fn.countAll<number>().as('total')),
    )
  }

  toDelete(at: number, limit: number): Query {
    return this.query('toDelete', { at, limit }, (db, { at, limit }) =>
      db.selectFrom('accounts').select('id').where('delete_at', '<=', at).orderBy('delete_at').limit(limit),
    )
  }

  unused(seenBefore: number, limit: number): Query {
    return this.query('unused', { seenBefore, limit }, (db, { seenBefore, limit }) =>
      db
        .selectFrom('accounts')
        .select('id')
        .where('seen_at', '<', seenBefore)
        .where('record', 'is not', null)
        .where('delete_at', 'is', null)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('account_addresses').select('address').whereRef('account_id', '=', 'accounts.id'),
          ),
        )
        .orderBy('seen_at')
        .limit(limit),
    )
  }
}
