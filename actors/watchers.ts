/** Who follows the status of a session, on this node. They hear of what is committed, from the store alone, in the order of commits. Every row that this node
 *  reads or commits is shown to them, too: this makes up for a notification that was lost. @module */
import type { SessionId, SessionRow, StatusChange } from '../stores/session-store.ts'

export type WatchListener = (change: StatusChange) => void
/** Is shown the session as it is stored, null: it is forgotten. What it shows may be older than what was heard before. */
export type SeenListener = (row: SessionRow | null) => void

type Watcher = { readonly changed: WatchListener; readonly seen: SeenListener | undefined }

export class Watchers {
  readonly #watchers = new Map<SessionId, Set<Watcher>>()
  readonly #report: (id: SessionId, error: unknown) => void

  constructor(report: (id: SessionId, error: unknown) => void) {
    this.#report = report
  }

  /** @returns stop */
  add(id: SessionId, changed: WatchListener, seen?: SeenListener): () => void {
    const own: Watcher = { changed, seen } // the same function may be added twice
    const watchers = this.#watchers.get(id) ?? new Set()
    this.#watchers.set(id, watchers.add(own))
    return () => {
      watchers.delete(own)
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id)
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
    const watchers = this.#watchers.get(id)
    if (!watchers) return
    for (const watcher of [...watchers]) {
      try {
        tell(watcher)
      } catch (error) {
        this.#report(id, error)
      }
    }
  }
}
