/** A store of a test, as a node on PostgreSQL or Redis has it: with the rows that this node has read or committed, which other nodes may have changed since. @module */
import { RecentRows } from '../../stores/recent-rows.ts'
import { lengthOf } from '../../stores/session-length.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { Store } from '../../stores/store.ts'
import { withChanges, withSessions } from './with-changes.ts'

/** When a row is forgotten that is committed: PostgreSQL is asked for it meanwhile, Redis is not. */
export type Forgetting = 'before its commit' | 'after its commit'

/** @param store what one node has of a store that several share, without such rows */
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
        if (change) recent.forgetBefore(id, change.version) // before anybody hears of it, who may read the row
        listener(id, change, owed)
      },
      () => {
        recent.forgetAll(() => true)
        missed?.()
      },
    )
  return withChanges(store, { sessions, commit, subscribe })
}
