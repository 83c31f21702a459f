/** Who follows the status of a session, on this node. They hear of what is committed, from the store alone, in the order of commits. @module */
import type { SessionId, StatusChange } from '../stores/session-store.ts'

export type WatchListener = (change: StatusChange) => void

export class Watchers {
  readonly #listeners = new Map<SessionId, Set<WatchListener>>()
  readonly #report: (id: SessionId, error: unknown) => void

  constructor(report: (id: SessionId, error: unknown) => void) {
    this.#report = report
  }

  /** @returns stop */
  add(id: SessionId, listener: WatchListener): () => void {
    const own: WatchListener = change => listener(change) // the same function may be added twice
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(own))
    return () => {
      listeners.delete(own)
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id)
    }
  }

  /** Stored is stored: a listener that fails changes nothing. */
  tell(change: StatusChange): void {
    for (const listener of [...(this.#listeners.get(change.id) ?? [])]) {
      try {
        listener(change)
      } catch (error) {
        this.#report(change.id, error)
      }
    }
  }
}
