/** Checks the encoding of a database. A text may contain any Unicode character, so a database with another encoding would refuse some sessions and
 *  results. @module */
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../sql/schema.ts'
import { StoreError } from '../store-error.ts'

/** @param name of the store, as a log may show it
 *  @throws {StoreError} that says expected and got, and the remedy */
export async function refuseOtherEncoding(db: Kysely<Tables>, name: string): Promise<void> {
  const { rows } = await sql<{
    encoding: string
  }>`select current_setting('server_encoding') as encoding`.execute(db)
  const encoding = rows[0]?.encoding
  if (encoding !== 'UTF8')
    throw new StoreError(
      `store ${name}: expected a database whose server_encoding is UTF8, got ${encoding}: make another database with "CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0", and name it`,
    )
}
