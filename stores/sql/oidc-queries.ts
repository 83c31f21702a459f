/** The statements of the records of an OpenID provider. @module */
import { type Expression, type Kysely, sql } from 'kysely'
import type { OidcName } from '../oidc-store.ts'
import { columnTypesOf } from './column-types.ts'
import { PreparedQueries, type Query } from './prepared-queries.ts'
import type { OidcTable, Tables } from './schema.ts'

export class OidcQueries extends PreparedQueries {
  find(name: OidcName): Query {
    return this.query('find', name, (db, { kind, id }) =>
      db.selectFrom('oidc_records').selectAll().where('kind', '=', kind).where('id', '=', id),
    )
  }

  findByUid(kind: string, uid: string): Query {
    return this.query('findByUid', { kind, uid }, (db, { kind, uid }) =>
      db
        .selectFrom('oidc_records')
        .selectAll()
        .where('uid', '=', uid)
        .where('kind', '=', kind)
        .orderBy('expires_at', 'desc')
        .limit(1),
    )
  }

  /** Changes no row if the record exists. */
  create(row: OidcTable): Query {
    return this.query('create', row, (db, row) =>
      db
        .insertInto('oidc_records')
        .values(row)
        .onConflict(conflict => conflict.columns(['kind', 'id']).doNothing()),
    )
  }

  /** The compare-and-set: changes no row if another version is stored. */
  update(row: OidcTable, stored: number): Query {
    return this.query('update', { ...row, stored }, (db, { kind, id, stored, ...changes }) =>
      db
        .updateTable('oidc_records')
        .set(changes)
        .where('kind', '=', kind)
        .where('id', '=', id)
        .where('version', '=', stored),
    )
  }

  delete({ kind, id }: OidcName, version: number): Query {
    return this.query('delete', { kind, id, version }, (db, { kind, id, version }) =>
      db
        .deleteFrom('oidc_records')
        .where('kind', '=', kind)
        .where('id', '=', id)
        .where('version', '=', version),
    )
  }

  deleteGrant(grant: string): Query {
    return this.query('deleteGrant', { grant }, (db, { grant }) =>
      columnTypesOf(db).hasRowLocks
        ? deletion(db, sql`grant_id = ${grant} order by kind, id for update`)
        : db.deleteFrom('oidc_records').where('grant_id', '=', grant),
    )
  }

  dropExpired(at: number, most: number): Query {
    return this.query('dropExpired', { at, most }, (db, { at, most }) => {
      const lock = sql.raw(columnTypesOf(db).hasRowLocks ? 'for update skip locked' : '')
      return deletion(db, sql`expires_at <= ${at} order by expires_at limit ${most} ${lock}`)
    })
  }

  count(): Query {
    return this.query('count', {}, db =>
      db.selectFrom('oidc_records').select(select => select.fn.countAll<number>().as('total')),
    )
  }
}

/** Deletes the rows that a subquery finds. On PostgreSQL it locks them in a fixed order, or skips locked ones: two nodes that delete
 *  several rows at once would otherwise wait for each other. */
function deletion(db: Kysely<Tables>, which: Expression<unknown>) {
  const found = sql`(select kind, id from oidc_records where ${which})`
  return db.deleteFrom('oidc_records').where(sql<boolean>`(kind, id) in ${found}`)
}
