/** The interface between the parts of an SQL store and its engine. The statements are the same for every engine, and each engine runs them in its own
 *  way. @module */
import type { Query } from './prepared-queries.ts'

export interface Engine {
  /** @returns rows with the columns of the statement */
  all<Row>(query: Query): Promise<Row[]>
  /** Runs a statement in a commit of its own.
   *  @param isDurable true: the commit survives a power cut
   *  @returns true if a row changed */
  run(query: Query, isDurable?: boolean): Promise<boolean>
}

/** A statement of a commit. */
export type Write = {
  readonly query: Query
  /** True: if the statement changes no row, another version is stored and the transaction is rolled back. */
  readonly mustChange: boolean
}

export function ids(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id)
}
