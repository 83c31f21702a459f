/** Commits that are asked for within one turn of the event loop share one transaction: each keeps its own outcome, all become durable together.
 *  @module */
import type { Statements } from './sqlite.ts'

/** What a commit does, inside a transaction or as one. */
export type Work = {
  /** @returns whether it did anything */
  readonly run: () => boolean
  /** it is one statement, which changes all or nothing by itself */
  readonly isOneStatement: boolean
  /** it survives a power cut, too, and not only the end of the process */
  readonly isDurable?: boolean
}

type Waiting = {
  readonly work: Work
  readonly resolve: (isCommitted: boolean) => void
  readonly reject: (error: unknown) => void
}
type Outcome = { readonly isCommitted: boolean } | { readonly error: unknown }

/** Primary code of SQLite's constraint errors: only the statement fails, the transaction stands. */
const CONSTRAINT = 19

/** A failure of the database itself, and not of one statement: the whole transaction is in doubt. */
function isOfTransaction(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  return typeof error.errcode !== 'number' || (error.errcode & 0xff) !== CONSTRAINT
}

export class GroupCommit {
  readonly #statements: Statements
  #waiting: Waiting[] = []

  constructor(statements: Statements) {
    this.#statements = statements
  }

  /** @param work what it changed is undone if it throws
   *  @returns what the work returns, once it is committed
   *  @throws what the work throws, or what the transaction throws: then its outcome is unknown */
  commit(work: Work): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.flush())
      this.#waiting.push({ work, resolve, reject })
    })
  }

  flush(): void {
    const batch = this.#waiting
    this.#waiting = []
    if (batch.length === 0) return
    try {
      const outcomes = this.#commitAll(batch)
      for (const [i, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[i]
        if (outcome && 'isCommitted' in outcome) resolve(outcome.isCommitted)
        else reject(outcome?.error)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  #commitAll(batch: readonly Waiting[]): Outcome[] {
    if (!batch.some(({ work }) => work.isDurable)) return this.#transaction(batch)
    this.#statements.syncEach(true)
    try {
      return this.#transaction(batch)
    } finally {
      this.#statements.syncEach(false)
    }
  }

  #transaction(batch: readonly Waiting[]): Outcome[] {
    const [first] = batch
    // a statement outside of a transaction is one
    if (batch.length === 1 && first?.work.isOneStatement) return [{ isCommitted: first.work.run() }]
    this.#statements.run('begin immediate', []) // a reader that turns writer would be refused at once
    try {
      const outcomes = batch.map(({ work }) => this.#outcomeOf(work))
      this.#statements.run('commit', [])
      return outcomes
    } catch (error) {
      this.#rollback()
      throw error
    }
  }

  #outcomeOf(work: Work): Outcome {
    if (!work.isOneStatement) this.#statements.run('savepoint one', [])
    let outcome: Outcome
    try {
      outcome = { isCommitted: work.run() }
    } catch (error) {
      if (isOfTransaction(error)) throw error
      if (!work.isOneStatement) this.#statements.run('rollback to one', [])
      outcome = { error }
    }
    if (!work.isOneStatement) this.#statements.run('release one', [])
    return outcome
  }

  /** Some failures have rolled back already. */
  #rollback(): void {
    try {
      this.#statements.run('rollback', [])
    } catch {
      // there is no transaction left, which is what was wanted
    }
  }
}
