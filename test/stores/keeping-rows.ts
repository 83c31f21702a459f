/** A store for tests that caches rows like a node on PostgreSQL or Redis: it keeps the rows that this node has read or committed. Other nodes may have changed them since.
 *  @module */
import { RecentRows } from '../../stores/recent-rows.ts'
import { lengthOf } from '../../stores/session-length.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { Store } from '../../stores/store.ts'
import { withChanges, withSessions } from './with-changes.ts'

/** When the cached row of a commit is dropped. PostgreSQL is read during the commit, Redis is not. */
export type Forgetting = 'before its commit' | 'after its commit'

/** @param store one node's view of a shared store, without cached rows */
export function keepingRows(store: Store, forgetting: Forgetting): Store {
  const recent = new RecentRows<SessionRow>(lengthOf)
  const sessions = withSessions(store, {
    recent: id => recent.get(id),
    async load(id) {
      const row = await store.sessions.load(id)
      if (row) recent.keepNewer(row)
      else recent.forget(id)
      return row
    },
    async dropAnswers(before) {
      recent.forgetAll(({ answered }) => answered !== null && answered.answeredAt < before)
      await store.sessions.dropAnswers(before)
    },
  })
  const commit: Store['commit'] = async commit => {
    const { session } = commit
    if (session && forgetting === 'before its commit') recent.forget(session.id)
    try {
      if (!(await store.commit(commit))) return false
    } finally {
      if (session && forgetting === 'after its commit') recent.forget(session.id)
    }
    if (session?.row) recent.keepNewer(session.row)
    return true
  }
  const subscribe: Store['subscribe'] = (listener, missed) =>
    store.subscribe(
      (id, change, owed) => {
        if (change) recent.forgetBefore(id, change.version) // before any subscriber, who may read the row, is notified
        listener(id, change, owed)
      },
      () => {
        recent.forgetAll(() => true)
        missed?.()
      },
    )
  return withChanges(store, { sessions, commit, subscribe })
}
