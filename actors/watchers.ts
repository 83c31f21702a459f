/** The subscribers to session statuses on this node. They receive committed changes from the store only, in the order of the commits. They also receive every
 *  row that this node reads or commits, which compensates for lost notifications. @module */
import type { SessionId, SessionRow, StatusChange } from '../stores/session-store.ts'

export type WatchListener = (change: StatusChange) => void
/** Receives the session as stored; null: forgotten. The row may be older than a change received before. */
export type SeenListener = (row: SessionRow | null) => void

type Watcher = { readonly changed: WatchListener; readonly seen: SeenListener | undefined }

export class Watchers {
  /** Immutable lists: most sessions have one watcher, and a small list takes less memory than a set. */
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

  /** Every session with a subscriber. */
  ids(): SessionId[] {
    return [...this.#watchers.keys()]
  }

  /** The commit is done: a failing listener changes nothing. */
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
