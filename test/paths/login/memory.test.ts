/** The paths of the keyshare login chart on the memory store. Its commits are slow in this test, so that an answer before the commit is noticed. @module */
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { settle } from '../../actors/node.ts'
import { withChanges } from '../../stores/with-changes.ts'
import { runLoginPaths } from './suite.ts'

const store = createMemoryStore()

async function commit(...args: Parameters<typeof store.commit>): Promise<boolean> {
  await settle(2)
  return store.commit(...args)
}

runLoginPaths('memory', async () => withChanges(store, { commit }))
