/** A store in memory. It ends with the process, so every claim in it belongs to a live node. @module */
import { NO_OUTAGE } from '../outage.ts'
import type { Commit, CommitListener, Nodes, Store } from '../store.ts'
import { MemoryAccounts } from './accounts.ts'
import { MemoryDeliveries } from './deliveries.ts'
import { MemoryOidc } from './oidc.ts'
import { MemoryRevocation } from './revocation.ts'
import { MemorySessions } from './sessions.ts'

class MemoryStore implements Store {
  readonly sessions = new MemorySessions()
  readonly deliveries = new MemoryDeliveries()
  readonly revocation = new MemoryRevocation()
  readonly accounts = new MemoryAccounts()
  readonly oidc = new MemoryOidc()
  readonly nodes: Nodes = { isShared: false, isAlive: async () => true, aheadMs: () => 0 }
  readonly outage = NO_OUTAGE
  readonly #listeners = new Set<CommitListener>()

  async commit(commit: Commit): Promise<boolean> {
    if (!this.#isPossible(commit)) return false
    this.#refuseRepeated(commit)
    const { session, delivery, account, oidc, accumulators = [], inserts = {} } = commit
    if (session) this.sessions.set(session)
    if (delivery) this.deliveries.set(delivery)
    if (account) this.accounts.set(account, inserts.account ?? {})
    if (oidc) this.oidc.set(oidc)
    for (const change of accumulators) this.revocation.set(change)
    for (const row of inserts.sessions ?? []) this.sessions.put(row)
    for (const row of inserts.owed ?? []) this.deliveries.put(row)
    const named = session ?? account
    if (named)
      for (const listener of this.#listeners) listener(named.id, inserts.change ?? null, inserts.owed)
    return true
  }

  subscribe(listener: CommitListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {}

  #isPossible({ session, delivery, account, oidc, accumulators = [], inserts = {} }: Commit): boolean {
    return (
      (!account || this.accounts.isPossible(account, inserts.account ?? {})) &&
      (!session || this.sessions.isOfVersion(session)) &&
      (!delivery || this.deliveries.isOfVersion(delivery)) &&
      (!oidc || this.oidc.isPossible(oidc)) &&
      accumulators.every(change => this.revocation.isPossible(change))
    )
  }

  /** @throws {Error} if a row or an event is already stored; then the store is unchanged */
  #refuseRepeated({ session, account, accumulators = [], inserts = {} }: Commit): void {
    if (account) this.accounts.refuseRepeated(account, inserts.account ?? {})
    const created = session?.version === 0 && session.row ? [session.row] : []
    for (const row of [...created, ...(inserts.sessions ?? [])]) this.sessions.refuseRepeated(row)
    for (const row of inserts.owed ?? []) this.deliveries.refuseRepeated(row)
    for (const change of accumulators) this.revocation.refuseRepeated(change)
  }
}

export function createMemoryStore(): Store {
  return new MemoryStore()
}
