/** Statements that are built once each, by kysely, from the first values they are asked for: building costs as much as running. Text and values are
 *  made of the same objects, hence in the same order. @module */
import type { Compilable, Kysely } from 'kysely'
import type { Tables } from './schema.ts'

export type Query = { readonly sql: string; readonly values: readonly unknown[] }

export class BuiltQueries {
  readonly #db: Kysely<Tables>
  readonly #built = new Map<string, string>()

  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  protected query(
    name: string,
    values: readonly unknown[],
    build: (db: Kysely<Tables>) => Compilable,
  ): Query {
    const sql = this.#built.get(name) ?? build(this.#db).compile().sql
    this.#built.set(name, sql)
    return { sql, values }
  }
}
