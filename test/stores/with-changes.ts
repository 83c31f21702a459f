/** Replaces some methods of a store, or of a part of one, of any kind. @module */
import type { RevocationStore } from '../../stores/revocation-store.ts'
import type { SessionStore } from '../../stores/session-store.ts'
import type { SessionServerStore, Store } from '../../stores/store.ts'

export function withChanges<Some extends SessionServerStore>(store: Some, changes: Partial<Some>): Some {
  return {
    ...store, // the parts; the others are methods of its class
    commit: store.commit.bind(store),
    subscribe: store.subscribe.bind(store),
    close: store.close.bind(store),
    ...changes,
  }
}

/** Makes a store look shared by several nodes. The test decides which nodes are alive. */
export function sharedBy(store: Store, isAlive: (bootId: string) => boolean): Store {
  return withChanges(store, { nodes: { ...store.nodes, isAlive: async bootId => isAlive(bootId) } })
}

export function withSessions({ sessions }: Store, changes: Partial<SessionStore>): SessionStore {
  return {
    load: id => sessions.load(id),
    recent: id => sessions.recent?.(id) ?? null,
    findByRequestorToken: token => sessions.findByRequestorToken(token),
    due: (...range) => sessions.due(...range),
    nextDueAfter: (...range) => sessions.nextDueAfter(...range),
    dropAnswers: answeredBefore => sessions.dropAnswers(answeredBefore),
    count: () => sessions.count(),
    newest: limit => sessions.newest(limit),
    ...changes,
  }
}

export function withRevocation({ revocation }: Store, changes: Partial<RevocationStore>): RevocationStore {
  return {
    load: (...key) => revocation.load(...key),
    loadAll: type => revocation.loadAll(type),
    events: (...range) => revocation.events(...range),
    addRecord: record => revocation.addRecord(record),
    findRecord: (...key) => revocation.findRecord(...key),
    hasRecords: (...key) => revocation.hasRecords(...key),
    unrevoked: (...key) => revocation.unrevoked(...key),
    dropRecords: validUntilBeforeSec => revocation.dropRecords(validUntilBeforeSec),
    ...changes,
  }
}
