/** Differences between the engines in their shared tables. @module */
import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

type ColumnTypes = {
  readonly bytes: 'blob' | 'bytea'
  /** the type of a column that is incremented with each insert */
  readonly number: 'integer' | 'bigserial'
  readonly numbered: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
  /** the column with the order in which sessions were inserted */
  readonly sessionNumber: 'rowid' | 'number'
  /** true: a statement may lock rows (`for update`) */
  readonly hasRowLocks: boolean
}

export function columnTypesOf(db: Pick<Kysely<unknown>, 'getExecutor'>): ColumnTypes {
  if (db.getExecutor().adapter instanceof PostgresAdapter)
    return {
      bytes: 'bytea',
      number: 'bigserial',
      numbered: column => column.primaryKey(),
      sessionNumber: 'number',
      hasRowLocks: true,
    }
  return {
    bytes: 'blob',
    number: 'integer',
    numbered: column => column.primaryKey().autoIncrement(),
    sessionNumber: 'rowid',
    hasRowLocks: false,
  }
}

/** True if the table has the column. */
export async function hasColumn(db: Kysely<unknown>, table: string, column: string): Promise<boolean> {
  const found =
    db.getExecutor().adapter instanceof PostgresAdapter
      ? sql`select 1 from information_schema.columns where table_schema = current_schema() and table_name = ${table} and column_name = ${column}`
      : sql`select 1 from pragma_table_info(${table}) where name = ${column}`
  return (await found.execute(db)).rows.length > 0
}
