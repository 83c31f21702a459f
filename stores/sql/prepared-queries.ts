/** Statements that kysely compiles only once, because compiling costs as much as running. Each statement stores which named value belongs to each
 *  parameter, so the order of an object's members does not matter. @module */
import { type Compilable, type Expression, type Kysely, sql } from 'kysely'
import type { Tables } from './schema.ts'

export type Query = { readonly sql: string; readonly values: readonly unknown[] }

/** A placeholder for a value while its statement is compiled. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

type Values = Readonly<Record<string, unknown>>
type Places<V extends Values> = { readonly [Name in keyof V]: Expression<V[Name]> }
type Build<V extends Values> = (db: Kysely<Tables>, places: Places<V>) => Compilable

/** A parameter is a placeholder, or a constant of the statement. */
type Prepared = { readonly sql: string; readonly parameters: readonly unknown[] }

export class PreparedQueries {
  readonly #db: Kysely<Tables>
  readonly #prepared = new Map<string, Prepared>()

  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  /** @param name unique in its class
   *  @param build makes the statement, with a placeholder for each value */
  protected query<V extends Values>(name: string, values: V, build: Build<V>): Query {
    const { sql, parameters } = this.#prepared.get(name) ?? this.#prepare(name, values, build)
    return { sql, values: parameters.map(each => (each instanceof Placeholder ? values[each.name] : each)) }
  }

  #prepare<V extends Values>(name: string, values: V, build: Build<V>): Prepared {
    const places = Object.keys(values).map(each => [each, sql`${new Placeholder(each)}`])
    const { sql: text, parameters } = build(this.#db, Object.fromEntries(places) as Places<V>).compile() // each name has a placeholder
    const prepared = { sql: text, parameters }
    this.#prepared.set(name, prepared)
    return prepared
  }
}
