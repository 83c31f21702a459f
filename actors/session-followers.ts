/** The subscribers to session statuses on this node. They receive committed changes from the store only, in the order of the commits. They also receive every
 *  row that this node reads or commits, which compensates for lost notifications. @module */
import type { SessionId, SessionRow, StatusChange } from '../stores/session-store.ts'

export type StatusListener = (change: StatusChange) => void
/** Receives the session as stored; null: forgotten. The row may be older than a change received before. */
export type RowListener = (row: SessionRow | null) => void

type SessionFollower = { readonly notify: StatusListener; readonly notifyRow: RowListener | undefined }

export class SessionFollowers {
  /** Immutable lists: most sessions have one watcher, and a small list takes less memory than a set. */
  readonly #followers = new Map<SessionId, readonly SessionFollower[]>()
  readonly #report: (id: SessionId, error: unknown) => void

  constructor(report: (id: SessionId, error: unknown) => void) {
    this.#report = report
  }

  /** @returns stop */
  follow(id: SessionId, notify: StatusListener, notifyRow?: RowListener): () => void {
    const own: SessionFollower = { notify, notifyRow } // the same function may be added twice
    this.#followers.set(id, [...(this.#followers.get(id) ?? []), own])
    return () => {
      const others = (this.#followers.get(id) ?? []).filter(each => each !== own)
      if (others.length === 0) this.#followers.delete(id)
      else this.#followers.set(id, others)
    }
  }

  notify(change: StatusChange): void {
    this.#each(change.id, ({ notify: changed }) => changed(change))
  }

  notifyRow(id: SessionId, row: SessionRow | null): void {
    this.#each(id, ({ notifyRow: seen }) => seen?.(row))
  }

  isFollowed(id: SessionId): boolean {
    return this.#followers.has(id)
  }

  /** Every session with a subscriber. */
  ids(): SessionId[] {
    return [...this.#followers.keys()]
  }

  /** The commit is done: a failing listener changes nothing. */
  #each(id: SessionId, notify: (watcher: SessionFollower) => void): void {
    for (const watcher of this.#followers.get(id) ?? []) {
      try {
        notify(watcher)
      } catch (error) {
        this.#report(id, error)
      }
    }
  }
}
