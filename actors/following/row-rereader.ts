/** Reads rows again after commits of other nodes may have been missed, so that subscribers and waiting callers receive the stored rows. Few rows are read at a
 *  time, which leaves the store to other calls. A failed read is retried until it succeeds. @module */
import { type Clock, pause } from '../../ports/clock.ts'
import type { SessionId } from '../../stores/session-store.ts'

const AT_ONCE = 16
const AFTER_FAILURE_MS = 1_000

export type RowRereaderDeps = {
  readonly clock: Clock
  /** passes the row to all that follow it */
  readonly read: (id: SessionId) => Promise<unknown>
  /** true if the row still has followers */
  readonly isWanted: (id: SessionId) => boolean
  readonly report: (id: SessionId, error: unknown) => void
}

export class RowRereader {
  readonly #deps: RowRereaderDeps
  readonly #left = new Set<SessionId>()
  readonly #stop = new AbortController()
  #readers = 0

  constructor(deps: RowRereaderDeps) {
    this.#deps = deps
  }

  /** A row whose reading is in progress is read once more: the read in progress may be too early. */
  add(ids: Iterable<SessionId>): void {
    for (const id of ids) this.#left.add(id)
    while (this.#readers < Math.min(AT_ONCE, this.#left.size)) void this.#readAll()
  }

  close(): void {
    this.#left.clear()
    this.#stop.abort()
  }

  async #readAll(): Promise<void> {
    const { clock, read, isWanted, report } = this.#deps
    this.#readers += 1
    for (const id of this.#left) {
      this.#left.delete(id)
      if (!isWanted(id)) continue
      try {
        await read(id)
      } catch (error) {
        report(id, error)
        await pause(clock, AFTER_FAILURE_MS, this.#stop.signal)
        if (!this.#stop.signal.aborted) this.#left.add(id)
      }
    }
    this.#readers -= 1
  }
}
