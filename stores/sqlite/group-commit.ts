/** Groups commits: those of consecutive turns of the event loop share one transaction, because beginning and ending one costs more than a commit in
 *  it. Each commit keeps its own outcome; all become durable together. If every transaction is synced to the disk, a busy store begins one only every
 *  few milliseconds, because a sync costs more than many commits. If another program holds the lock of the file, the commit is tried again without
 *  blocking this process. @module */
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../ports/clock.ts'
import type { WriteOutcomes } from '../outage.ts'
import type { Synchronous } from '../store-options.ts'
import { isLocked, isOfDatabase } from './file/sqlite-errors.ts'
import type { StoreHealth } from './file/store-health.ts'
import type { Statements } from './statements.ts'
import { MAX_LOCKED_MS, RETRY_MS } from './while-locked.ts'

/** The minimum time between two synced transactions. A single commit after a pause does not wait. */
const SYNC_EVERY_MS = 2
/** The maximum number of turns of the event loop for which a transaction waits for more commits. It begins after the first turn without a new one. In
 *  an idle process the next turn comes at once. */
const MAX_TURNS = 4

/** The work of a commit. */
export type CommitWork = {
  /** @returns true if it changed anything */
  readonly run: () => boolean
  /** true: the work is one statement, which is atomic by itself */
  readonly isOneStatement: boolean
  /** true: it survives a power cut, and not only the end of the process */
  readonly isDurable?: boolean
}

type Waiting = {
  readonly work: CommitWork
  readonly resolve: (isCommitted: boolean) => void
  readonly reject: (error: unknown) => void
  /** Unix ms at which it stops waiting for the lock of the file */
  readonly untilAt: number
}
type CommitResult = { readonly isCommitted: boolean } | { readonly error: unknown }

export type GroupCommitDeps = {
  readonly statements: Statements
  readonly health: Pick<StoreHealth, 'failed' | 'worked'>
  readonly clock: Pick<Clock, 'now'>
  /** called in every transaction; throws if this process must not commit */
  readonly guard: () => void
  readonly synchronous: Synchronous
  readonly writes?: WriteOutcomes
  /** called after each committed transaction */
  readonly committed?: () => void
}

export class GroupCommit {
  readonly #deps: GroupCommitDeps
  #waiting: Waiting[] = []
  /** Unix ms */
  #syncedAt = Number.NEGATIVE_INFINITY

  constructor(deps: GroupCommitDeps) {
    this.#deps = deps
  }

  /** @param work its changes are rolled back if it throws
   *  @returns the answer of the work, after the commit
   *  @throws errors of the work, or {StoreError}: the outcome is unknown */
  commit(work: CommitWork): Promise<boolean> {
    const untilAt = this.#deps.clock.now() + MAX_LOCKED_MS
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) this.#flushSoon()
      this.#waiting.push({ work, resolve, reject, untilAt })
    })
  }

  /** Waits until all commits so far have succeeded or failed. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0) await pause(RETRY_MS)
  }

  #flushSoon(): void {
    const restMs = this.#syncedAt + SYNC_EVERY_MS - this.#deps.clock.now()
    if (restMs > 0) setTimeout(() => this.#flush(), restMs)
    else this.#gather()
  }

  /** @param known number of commits at the end of the turn before
   *  @param turn of the event loop, from 1 */
  #gather(known = 0, turn = 1): void {
    setImmediate(() => {
      const { length } = this.#waiting
      if (length > known && turn < MAX_TURNS) this.#gather(length, turn + 1)
      else this.#flush()
    })
  }

  #flush(): void {
    const batch = this.#waiting
    this.#waiting = []
    try {
      const outcomes = this.#commitAll(batch)
      for (const [i, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[i]
        if (outcome && 'isCommitted' in outcome) resolve(outcome.isCommitted)
        else reject(outcome?.error)
      }
      this.#deps.health.worked()
      if (outcomes.some(each => 'isCommitted' in each && each.isCommitted)) this.#deps.writes?.succeeded()
    } catch (error) {
      this.#retryOrFail(batch, error)
    }
  }

  /** To be called if nothing of the batch was committed. While the file is locked, the batch waits together with later commits. */
  #retryOrFail(batch: readonly Waiting[], error: unknown): void {
    const { clock, health } = this.#deps
    const now = clock.now()
    this.#waiting = isLocked(error) ? batch.filter(({ untilAt }) => untilAt > now) : []
    if (this.#waiting.length > 0) setTimeout(() => this.#flush(), RETRY_MS)
    if (this.#waiting.length === batch.length) return
    const failure = health.failed(error)
    this.#deps.writes?.failed(failure)
    for (const waiting of batch) if (!this.#waiting.includes(waiting)) waiting.reject(failure)
  }

  #commitAll(batch: readonly Waiting[]): CommitResult[] {
    const { statements, synchronous } = this.#deps
    if (synchronous === 'full') return this.#syncedTransaction(batch)
    if (!batch.some(({ work }) => work.isDurable)) return this.#transaction(batch)
    statements.sync('full')
    try {
      return this.#transaction(batch)
    } finally {
      statements.sync('normal')
    }
  }

  #syncedTransaction(batch: readonly Waiting[]): CommitResult[] {
    try {
      return this.#transaction(batch)
    } finally {
      this.#syncedAt = this.#deps.clock.now()
    }
  }

  #transaction(batch: readonly Waiting[]): CommitResult[] {
    const { statements, guard } = this.#deps
    try {
      statements.run('begin immediate') // a transaction that begins as a reader would be refused at its first write
      guard()
      const outcomes = batch.map(({ work }) => this.#outcomeOf(work))
      statements.run('commit')
      this.#deps.committed?.()
      return outcomes
    } catch (error) {
      this.#rollback()
      throw error
    }
  }

  #outcomeOf(work: CommitWork): CommitResult {
    if (!work.isOneStatement) this.#deps.statements.run('savepoint one')
    let outcome: CommitResult
    try {
      outcome = { isCommitted: work.run() }
    } catch (error) {
      if (isOfDatabase(error)) throw error
      if (!work.isOneStatement) this.#deps.statements.run('rollback to one')
      outcome = { error }
    }
    if (!work.isOneStatement) this.#deps.statements.run('release one')
    return outcome
  }

  /** Tolerates an error, because some failures have rolled back already. */
  #rollback(): void {
    try {
      this.#deps.statements.run('rollback')
    } catch {
      // no transaction is left, as intended
    }
  }
}
