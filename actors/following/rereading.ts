/** Reading rows again after commits of other nodes may have been missed: whoever follows or waits is shown the rows that are stored now. Few rows are read
 *  at a time, so that everybody else gets the store, too; and what cannot be read is tried again until it can. @module */
import { type Clock, pause } from '../../ports/clock.ts'
import type { SessionId } from '../../stores/session-store.ts'

const AT_ONCE = 16
const AFTER_FAILURE_MS = 1_000

export type RereadingDeps = {
  readonly clock: Clock
  /** shows the row to all whom it concerns */
  readonly read: (id: SessionId) => Promise<unknown>
  /** whether it concerns anybody still */
  readonly isWanted: (id: SessionId) => boolean
  readonly report: (id: SessionId, error: unknown) => void
}

export class Rereading {
  readonly #deps: RereadingDeps
  readonly #left = new Set<SessionId>()
  readonly #stop = new AbortController()
  #readers = 0

  constructor(deps: RereadingDeps) {
    this.#deps = deps
  }

  /** A row that is being read already is read once more: that one may have been read too early. */
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
