/** The statements of imports of accounts. @module */
import type { Expression } from 'kysely'
import type { AccountId } from '../account-store.ts'
import { PreparedQueries, type Query } from './prepared-queries.ts'
import type { ImportTable, LogTable } from './schema.ts'

/** The number of ids in one statement; shorter lists are filled up with their first id, so that one statement serves all. */
export const IDS_AT_ONCE = 100
/** The number of log entries in one statement. */
const ENTRIES_AT_ONCE = 50

export class AccountImportQueries extends PreparedQueries {
  /** @param ids from 1 to `IDS_AT_ONCE` */
  stored(ids: readonly AccountId[]): Query {
    return this.query('stored', namedIds(ids), (db, places) =>
      db.selectFrom('accounts').select(['id', 'version']).where('id', 'in', Object.values(places)),
    )
  }

  /** @param hashes from 1 to `IDS_AT_ONCE` */
  owners(hashes: readonly string[]): Query {
    return this.query('owners', namedIds(hashes), (db, places) =>
      db
        .selectFrom('accounts')
        .select(['id', 'token_id_hash'])
        .where('token_id_hash', 'in', Object.values(places)),
    )
  }

  /** @param ids from 1 to `IDS_AT_ONCE` */
  imported(ids: readonly AccountId[]): Query {
    return this.query('imported', namedIds(ids), (db, places) =>
      db.selectFrom('account_imports').selectAll().where('account_id', 'in', Object.values(places)),
    )
  }

  /** Keeps the number of the last log entry, if there is one. */
  putImport({ account_id, version, fingerprint }: Omit<ImportTable, 'log_number'>): Query {
    return this.query('putImport', { account_id, version, fingerprint }, (db, row) =>
      db
        .insertInto('account_imports')
        .values({ ...row, log_number: 0 })
        .onConflict(conflict =>
          conflict.column('account_id').doUpdateSet({ version: row.version, fingerprint: row.fingerprint }),
        ),
    )
  }

  dropAddresses(id: AccountId): Query {
    return this.query('dropAddresses', { id }, (db, { id }) =>
      db.deleteFrom('account_addresses').where('account_id', '=', id),
    )
  }

  dropLinks(id: AccountId): Query {
    return this.query('dropLinks', { id }, (db, { id }) =>
      db.deleteFrom('mail_links').where('account_id', '=', id),
    )
  }

  /** Changes no row if that entry or a later one was copied.
   *  @param first number of the first new entry
   *  @param last number of the last new entry */
  moveLog(id: AccountId, first: number, last: number): Query {
    return this.query('moveLog', { id, first, last }, (db, { id, first, last }) =>
      db
        .updateTable('account_imports')
        .set({ log_number: last })
        .where('account_id', '=', id)
        .where('log_number', '<', first),
    )
  }

  /** @returns statements that insert the rows in their order */
  addLog(rows: readonly LogTable[]): readonly Query[] {
    const queries: Query[] = []
    for (let at = 0; at < rows.length; ) {
      const count = rows.length - at >= ENTRIES_AT_ONCE ? ENTRIES_AT_ONCE : 1
      queries.push(this.#addLog(rows.slice(at, at + count)))
      at += count
    }
    return queries
  }

  #addLog(rows: readonly LogTable[]): Query {
    const named = rows.flatMap((row, i) => Object.entries(row).map(([name, value]) => [`${name}${i}`, value]))
    const values: Readonly<Record<string, unknown>> = Object.fromEntries(named)
    return this.query(`addLog${rows.length}`, values, (db, places) =>
      db.insertInto('account_log').values(
        rows.map((_, i) => {
          const place = <Value>(name: string) => places[`${name}${i}`] as Expression<Value> // of the value above
          return {
            account_id: place<string>('account_id'),
            at: place<number>('at'),
            event: place<string>('event'),
            param: place<number | null>('param'),
          }
        }),
      ),
    )
  }
}

function namedIds(ids: readonly string[]): Readonly<Record<string, string>> {
  const [first = ''] = ids
  return Object.fromEntries(Array.from({ length: IDS_AT_ONCE }, (_, i) => [`id${i}`, ids[i] ?? first]))
}
