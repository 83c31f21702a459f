/** The statements of data that belongs to accounts: activity logs, addresses, and mailed links. @module */
import type { AccountId } from '../account-store.ts'
import { PreparedQueries, type Query } from './prepared-queries.ts'
import type { AddressTable, LinkTable, LogTable } from './schema.ts'

export class AccountMailQueries extends PreparedQueries {
  addLog(row: LogTable): Query {
    return this.query('addLog', row, (db, row) => db.insertInto('account_log').values(row))
  }

  log(id: AccountId, after: number, limit: number): Query {
    return this.query('log', { id, after, limit }, (db, { id, after, limit }) =>
      db
        .selectFrom('account_log')
        .selectAll()
        .where('account_id', '=', id)
        .orderBy('number', 'desc')
        .limit(limit)
        .offset(after),
    )
  }

  /** Inserts the address, or updates it. */
  putAddress(row: AddressTable): Query {
    return this.query('putAddress', row, (db, row) =>
      db
        .insertInto('account_addresses')
        .values(row)
        .onConflict(conflict =>
          conflict.columns(['account_id', 'address']).doUpdateSet({ delete_at: row.delete_at }),
        ),
    )
  }

  addressesOf(id: AccountId): Query {
    return this.query('addressesOf', { id }, (db, { id }) =>
      db.selectFrom('account_addresses').selectAll().where('account_id', '=', id).orderBy('address'),
    )
  }

  withAddress(address: string): Query {
    return this.query('withAddress', { address }, (db, { address }) =>
      db
        .selectFrom('account_addresses')
        .innerJoin('accounts', 'accounts.id', 'account_addresses.account_id')
        .select('accounts.id')
        .where('account_addresses.address', '=', address)
        .where('accounts.record', 'is not', null),
    )
  }

  dropAddresses(at: number): Query {
    return this.query('dropAddresses', { at }, (db, { at }) =>
      db.deleteFrom('account_addresses').where('delete_at', '<=', at),
    )
  }

  addLink(row: LinkTable): Query {
    return this.query('addLink', row, (db, row) => db.insertInto('mail_links').values(row))
  }

  link(tokenHash: string): Query {
    return this.query('link', { tokenHash }, (db, { tokenHash }) =>
      db.selectFrom('mail_links').selectAll().where('token_hash', '=', tokenHash),
    )
  }

  countLinks(address: string, purpose: string, madeAfter: number): Query {
    return this.query('countLinks', { address, purpose, madeAfter }, (db, { address, purpose, madeAfter }) =>
      db
        .selectFrom('mail_links')
        .select(select => select.fn.countAll<number>().as('total'))
        .where('address', '=', address)
        .where('made_at', '>', madeAfter)
        .where('purpose', '=', purpose),
    )
  }

  useLink(tokenHash: string): Query {
    return this.query('useLink', { tokenHash }, (db, { tokenHash }) =>
      db.deleteFrom('mail_links').where('token_hash', '=', tokenHash),
    )
  }

  dropLinks(at: number): Query {
    return this.query('dropLinks', { at }, (db, { at }) =>
      db.deleteFrom('mail_links').where('ends_at', '<=', at),
    )
  }
}
