/** Who follows the status of a session, on this node. They hear of what is committed, from the store alone, in the order of commits. Every row that this node
 *  reads or commits is shown to them, too: this makes up for a notification that was lost. @module */
import type { SessionId, SessionRow, StatusChange } from '../stores/session-store.ts'

export type WatchListener = (change: StatusChange) => void
/** Is shown the session as it is stored, null: it is forgotten. What it shows may be older than what was heard before. */
export type SeenListener = (row: SessionRow | null) => void

type Watcher = { readonly changed: WatchListener; readonly seen: SeenListener | undefined }

export class Watchers {
  /** Lists that never change: most sessions have one watcher, and a small list takes less than a set. */
  readonly #watchers = new Map<SessionId, readonly Watcher[]>()
  readonly #report: (id: SessionId, error: unknown) => void

  constructor(report: (id: SessionId, error: unknown) => void) {
    this.#report = report
  }

  /** @returns stop */
  add(id: SessionId, changed: WatchListener, seen?: SeenListener): () => void {
    const own: Watcher = { changed, seen } // the same function may be added twice
    this.#watchers.set(id, [...(this.#watchers.get(id) ?? []), own])
    return () => {
      const others = (this.#watchers.get(id) ?? []).filter(each => each !== own)
      if (others.length === 0) this.#watchers.delete(id)
      else this.#watchers.set(id, others)
    }
  }

  tell(change: StatusChange): void {
    this.#each(change.id, ({ changed }) => changed(change))
  }

  see(id: SessionId, row: SessionRow | null): void {
    this.#each(id, ({ seen }) => seen?.(row))
  }

  isWatched(id: SessionId): boolean {
    return this.#watchers.has(id)
  }

  /** Every session that somebody follows. */
  ids(): SessionId[] {
    return [...this.#watchers.keys()]
  }

  /** Stored is stored: a listener that fails changes nothing. */
  #each(id: SessionId, tell: (watcher: Watcher) => void): void {
    for (const watcher of this.#watchers.get(id) ?? []) {
      try {
        tell(watcher)
      } catch (error) {
        this.#report(id, error)
      }
    }
  }
}
