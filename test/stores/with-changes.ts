/** A store with some of its methods replaced, whatever it is made of. @module */
import type { SessionStore } from '../../stores/session-store.ts'

export function withChanges(store: SessionStore, changes: Partial<SessionStore>): SessionStore {
  return {
    load: id => store.load(id),
    findByRequestorToken: token => store.findByRequestorToken(token),
    commit: (...commit) => store.commit(...commit),
    due: (...range) => store.due(...range),
    nextDueAfter: (...range) => store.nextDueAfter(...range),
    dropAnswers: answeredBefore => store.dropAnswers(answeredBefore),
    deliveries: store.deliveries,
    revocation: store.revocation,
    count: () => store.count(),
    subscribe: listener => store.subscribe(listener),
    isAlive: bootId => store.isAlive(bootId),
    close: () => store.close(),
    ...changes,
  }
}
