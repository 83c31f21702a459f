/** The paths of the session chart on the memory store. Its commits are slow in this test, so that an answer before the commit is noticed. @module */
import { createMemoryStore } from '../../../stores/memory/store.ts'
import type { Store } from '../../../stores/store.ts'
import { settle } from '../../actors/node.ts'
import { withChanges } from '../../stores/with-changes.ts'
import { runRestarts } from './restarts.ts'
import { runSessionPaths } from './suite.ts'

function slowStore(): Store {
  const store = createMemoryStore()
  const commit: Store['commit'] = async change => {
    await settle(2)
    return store.commit(change)
  }
  return withChanges(store, { commit })
}

runSessionPaths('memory', { store: slowStore() })
runRestarts('memory', () => ({ store: slowStore() }))
