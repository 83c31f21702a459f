/** What the parts of a store in a file have in common: they run the statements that are kept for them, and commit single ones. @module */
import type { Kysely } from 'kysely'
import type { Engine, Write } from '../sql/engine.ts'
import type { Query } from '../sql/prepared-queries.ts'
import type { Tables } from '../sql/schema.ts'
import type { GroupCommit } from './group-commit.ts'
import type { Statements } from './statements.ts'

export type PartDeps = {
  /** with the tables that `migrate` makes */
  readonly db: Kysely<Tables>
  readonly statements: Statements
  readonly commits: Pick<GroupCommit, 'commit' | 'drain'>
}

export class SqlitePart {
  protected readonly statements: Statements
  readonly #commits: PartDeps['commits']

  constructor({ statements, commits }: PartDeps) {
    this.statements = statements
    this.#commits = commits
  }

  /** @returns rows of the form that the statement selects */
  protected all<Row>({ sql, values }: Query): Row[] {
    return this.statements.all<Row>(sql, values)
  }

  /** Within a transaction.
   *  @returns the number of rows that changed */
  protected run({ sql, values }: Query): number {
    return this.statements.run(sql, values)
  }

  /** A commit of its own.
   *  @returns whether any row changed */
  protected commitOne(query: Query, isDurable = false): Promise<boolean> {
    return this.#commits.commit({ run: () => this.run(query) > 0, isOneStatement: true, isDurable })
  }
}

/** For parts that every engine has. */
export function engineOf({ statements, commits }: PartDeps): Engine {
  return {
    all: async ({ sql, values }) => statements.all(sql, values),
    run: ({ sql, values }) =>
      commits.commit({ run: () => statements.run(sql, values) > 0, isOneStatement: true, isDurable: false }),
  }
}

/** Within a transaction.
 *  @returns false if another version is stored */
export function write({ statements }: Pick<PartDeps, 'statements'>, writes: readonly Write[]): boolean {
  return writes.every(
    ({ query: { sql, values }, mustChange }) => statements.run(sql, values) > 0 || !mustChange,
  )
}
