/** Groups commits: those that arrive while a commit is running share the next transaction. Each commit keeps its own outcome; all become durable
 *  together. So a node has few concurrent transactions, however many commits it has. Notifications make transactions of all nodes wait for each
 *  other, so fewer of them wait. @module */
import type { Clock, Timer } from '../../ports/clock.ts'
import type { StoreError } from '../store-error.ts'
import { commitStatement, type GroupedCommit, type PreparedCommit, prepared } from './commit-statement.ts'
import type { Database } from './database.ts'
import { isUndone } from './postgres-errors.ts'

/** The maximum wait for the group before, so that a locked row delays only its own group. */
const LONGEST_WAIT_MS = 25
/** The maximum number of commits in a group, and of characters in their values. A single commit may be longer. */
const MAX_COMMITS = 128
const MAX_CHARACTERS = 2 ** 20

type Waiting = {
  readonly work: PreparedCommit
  readonly length: number
  readonly resolve: (isCommitted: boolean) => void
  readonly reject: (error: unknown) => void
}

export type GroupCommitDeps = {
  readonly database: Pick<Database, 'prepared'>
  readonly bootId: string
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  /** makes the error for a node whose lease is not valid for long enough */
  readonly stoodStill: () => StoreError
}

type Answer = { readonly is_alive: boolean; readonly won: string | null }

export class GroupCommit {
  readonly #deps: GroupCommitDeps
  #waiting: Waiting[] = []
  #onTheWay = 0
  #isWanted = false
  #timer: Timer | null = null

  constructor(deps: GroupCommitDeps) {
    this.#deps = deps
  }

  /** @returns false if another version is stored
   *  @throws {TypeError} if a value cannot be stored
   *  @throws {Error} if an inserted row is already stored
   *  @throws {StoreError} the outcome is unknown */
  async commit(commit: GroupedCommit): Promise<boolean> {
    const work = prepared(commit)
    const length = work.parts.reduce((sum, [, row]) => sum + lengthOf(row), 0)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ work, length, resolve, reject })
      this.#want()
    })
  }

  /** Commits of the same turn of the event loop share a group. */
  #want(): void {
    if (this.#isWanted) return
    if (this.#onTheWay === 0) {
      this.#isWanted = true
      setImmediate(() => this.#flush())
    } else this.#timer ??= this.#deps.clock.setTimeout(() => this.#flush(), LONGEST_WAIT_MS)
  }

  /** To be called only if a commit is waiting. If commits remain, the timer is set again. */
  #flush(): void {
    this.#isWanted = false
    if (this.#timer) this.#deps.clock.clearTimeout(this.#timer)
    this.#timer = null
    const group = this.#takeGroup()
    this.#onTheWay += 1
    void this.#send(group).finally(() => {
      this.#onTheWay -= 1
      if (this.#waiting.length > 0) this.#flush()
    })
    if (this.#waiting.length > 0) this.#want()
  }

  /** A group has at most one commit for each row. A second one waits, and then fails by its version. */
  #takeGroup(): Waiting[] {
    const group: Waiting[] = []
    const left: Waiting[] = []
    const keys = new Set<string>()
    let characters = 0
    for (const waiting of this.#waiting) {
      const isRoom =
        group.length < MAX_COMMITS && (group.length === 0 || characters + waiting.length <= MAX_CHARACTERS)
      const isTaken = isRoom && !keys.has(waiting.work.key)
      keys.add(waiting.work.key)
      ;(isTaken ? group : left).push(waiting)
      if (isTaken) characters += waiting.length
    }
    this.#waiting = left
    return group
  }

  async #send(group: readonly Waiting[]): Promise<void> {
    try {
      const won = await this.#run(group)
      for (const [n, { resolve }] of group.entries()) resolve(won.has(n))
    } catch (error) {
      // one error rolls back the whole group, so each commit is tried again alone
      if (group.length > 1 && isUndone(error)) await Promise.all(group.map(each => this.#send([each])))
      else for (const { reject } of group) reject(error)
    }
  }

  /** @returns the numbers of those that were committed */
  async #run(group: readonly Waiting[]): Promise<ReadonlySet<number>> {
    const { database, bootId, stoodStill } = this.#deps
    const statement = commitStatement(
      bootId,
      group.map(({ work }) => work),
    )
    const [answer] = await database.prepared<Answer>(statement)
    if (!answer?.is_alive) throw stoodStill()
    return new Set((answer.won ?? '').split(' ').filter(Boolean).map(Number))
  }
}

function lengthOf(row: Readonly<Record<string, unknown>>): number {
  let length = 0
  for (const value of Object.values(row)) if (typeof value === 'string') length += value.length
  return length
}
