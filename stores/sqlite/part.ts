/** Runs the statements of a store's parts on a file: reads at once, writes in group commits. @module */
import type { Kysely } from 'kysely'
import type { Engine, Write } from '../sql/engine.ts'
import type { Tables } from '../sql/schema.ts'
import type { GroupCommit } from './group-commit.ts'
import type { Statements } from './statements.ts'

export type PartDeps = {
  /** with the tables that `migrate` makes */
  readonly db: Kysely<Tables>
  readonly statements: Statements
  readonly commits: Pick<GroupCommit, 'commit' | 'drain'>
}

export function engineOf({ statements, commits }: PartDeps): Engine {
  return {
    all: async ({ sql, values }) => statements.all(sql, values),
    run: ({ sql, values }, isDurable = false) =>
      commits.commit({ run: () => statements.run(sql, values) > 0, isOneStatement: true, isDurable }),
  }
}

/** Executes the writes of a transaction in order.
 *  @returns false if another version is stored */
export function write({ statements }: Pick<PartDeps, 'statements'>, writes: readonly Write[]): boolean {
  return writes.every(
    ({ query: { sql, values }, mustChange }) => statements.run(sql, values) > 0 || !mustChange,
  )
}
