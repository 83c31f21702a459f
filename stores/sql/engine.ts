/** What the parts of an SQL store need of their engine, and what a commit is made of: the statements are the same for every engine, and each runs them in its own way. @module */
import type { Query } from './prepared-queries.ts'

export interface Engine {
  /** @returns rows of the form that the statement selects */
  all<Row>(query: Query): Promise<Row[]>
  /** A commit of its own.
   *  @param isDurable it survives a power cut
   *  @returns whether any row changed */
  run(query: Query, isDurable?: boolean): Promise<boolean>
}

/** A statement of a commit. */
export type Write = {
  readonly query: Query
  /** Where it changes no row, another version is stored: the transaction is to be undone. */
  readonly mustChange: boolean
}

export function ids(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id)
}
