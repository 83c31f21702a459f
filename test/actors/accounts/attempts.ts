/** Shared by tests of PIN attempts: the step that changes the PIN, and a store that lets another call in after the first commit. @module */
import { withPin } from '../../../accounts/secrets.ts'
import type { PinAttempt } from '../../../actors/accounts/try-pin.ts'
import type { AccountsStore } from '../../../stores/store.ts'

/** Sets the PIN `new`. */
export const acceptsChange: PinAttempt['accepts'] = (attempt, secrets) => ({
  event: { type: 'server.changedPin', attempt },
  secrets: withPin(secrets, 'new', new Uint8Array(32).fill(0xcc)),
})

/** A store for one node. It runs `happens` after its first commit is stored, and before the node gets the result. */
export function afterFirstCommit(store: AccountsStore, happens: () => Promise<unknown>): AccountsStore {
  let commits = 0
  return {
    ...store,
    async commit(commit) {
      const isDone = await store.commit(commit)
      if (++commits === 1) await happens()
      return isDone
    },
  }
}
