/** What tests of attempts at a PIN share: the step that changes the PIN, and a call that arrives while another one is handled. @module */
import { withPin } from '../../../accounts/secrets.ts'
import type { PinAttempt } from '../../../actors/accounts/try-pin.ts'
import type { AccountsStore } from '../../../stores/store.ts'

/** Sets the PIN `new`. */
export const acceptsChange: PinAttempt['accepts'] = (attempt, secrets) => ({
  event: { type: 'server.changedPin', attempt },
  secrets: withPin(secrets, 'new', new Uint8Array(32).fill(0xcc)),
})

/** A store for one node: something else happens once its first commit is stored, before the node learns so. */
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
