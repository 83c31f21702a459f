/** The hold on a file (hold-file.ts) while its process runs: renewed every second, checked in every transaction, released at the end. Each renewal
 *  also stores the time, from which the next process on the file continues (kept-times.ts). @module */
import type { Clock, Timer } from '../../../ports/clock.ts'
import { StoreError, StoreLostError } from '../../store-error.ts'
import type { LogFiles } from '../file/log-files.ts'
import type { GroupCommit } from '../group-commit.ts'
import type { Statements } from '../statements.ts'

const RENEW_MS = 1_000

export type OwnershipDeps = {
  readonly file: string
  readonly statements: Statements
  readonly logFiles: LogFiles
  readonly clock: Clock
  readonly bootId: string
  /** called once */
  readonly lost: (error: StoreLostError) => void
}

export class Ownership {
  readonly #deps: OwnershipDeps
  #timer: Timer | null = null
  #lost: StoreLostError | null = null
  #isReleased = false

  constructor(deps: OwnershipDeps) {
    this.#deps = deps
  }

  /** To be called within a transaction, before its first write.
   *  @throws {StoreLostError} */
  assertOurs(): void {
    if (this.#lost) throw this.#lost
    try {
      this.#look()
    } catch (error) {
      if (error instanceof StoreLostError) {
        this.#lost = error
        this.#deps.lost(error)
      }
      throw error
    }
  }

  #look(): void {
    const { file, statements, logFiles, bootId } = this.#deps
    const [row] = statements.all<{ boot_id: string | null }>('select boot_id from owner')
    logFiles.assertThere()
    if (row?.boot_id === bootId) return
    throw new StoreLostError(
      `store ${file}: expected to be its only process, got another one that opened it while this process was suspended: this process ends`,
    )
  }

  /** Renews now, and then every second. */
  async renew(commits: GroupCommit): Promise<void> {
    try {
      await commits.commit({ run: () => this.#write(this.#deps.bootId), isOneStatement: true })
    } catch (error) {
      if (!(error instanceof StoreError)) throw error // the store has logged it; the next renewal may succeed
    }
    if (!this.#isReleased && this.#lost === null)
      this.#timer = this.#deps.clock.setTimeout(() => void this.renew(commits), RENEW_MS)
  }

  /** Releases the file. If that cannot be written, the next process takes over when the row is no longer renewed. */
  async release(commits: GroupCommit): Promise<void> {
    this.#isReleased = true
    if (this.#timer) this.#deps.clock.clearTimeout(this.#timer)
    try {
      await commits.commit({ run: () => this.#write(null), isOneStatement: true })
    } catch (error) {
      if (!(error instanceof StoreError)) throw error // the store has logged it
    }
  }

  #write(bootId: string | null): boolean {
    const { statements, clock } = this.#deps
    const renewed = statements.run(
      'update owner set boot_id = :bootId, renewals = renewals + 1, now_at = :now, wall_at = :wallNow',
      { bootId, now: clock.now(), wallNow: clock.wallNow() },
    )
    return renewed > 0
  }
}
