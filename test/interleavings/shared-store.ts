/** One store in memory that the nodes of a script share, and the view of each node. Reads and commits of a view fail, wait, or never return when the
 *  script says so. A view ends with its node. All commits are kept, in order. @module */

import type { AccountRow } from '../../stores/account-store.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { Commit, Store } from '../../stores/store.ts'
import { StoreError } from '../../stores/store-error.ts'
import type { Fault } from '../faults/faulty-store.ts'
import { withMethods } from '../http/keyshare/harness.ts'
import { keepingRows } from '../stores/keeping-rows.ts'
import { withChanges, withSessions } from '../stores/with-changes.ts'

/** The state of a node. `lost`: other nodes consider it dead, and its commits fail. `gone`: its process has ended. */
export type Fate = 'works' | 'lost' | 'gone'

/** One node's view of the store. */
export type StoreView = {
  readonly store: Store
  /** faults of its next commits */
  readonly faults: Fault[]
  /** waiting reads and commits: each waits before it begins, and a commit also before it returns */
  readonly waiting: (() => void)[]
  isHeld: boolean
  /** Unix ms of the last commit for which its node got an error */
  failedAt: number
  fate: Fate
  /** distance of the store's time from the node's own clock, ms */
  readonly aheadMs: number
}

/** A commit of a session, or of an account. */
export type Committed<Row = SessionRow> = {
  readonly id: string
  /** null if it was deleted */
  readonly row: Row | null
  readonly by: StoreView
  readonly at: number
  /** its node got an error */
  readonly isUnknown: boolean
}

export class SharedStore {
  readonly inner = createMemoryStore()
  readonly committed: Committed[] = []
  readonly accounts: Committed<AccountRow>[] = []
  readonly #views: StoreView[] = []
  #committer: StoreView | null = null
  /** by the boot id of a node */
  readonly #viewOf = new Map<string, StoreView>()
  readonly #now: () => number
  readonly #note: () => void

  /** @param note called whenever a node uses the store */
  constructor(now: () => number, note: () => void) {
    this.#now = now
    this.#note = note
  }

  /** The view of a new node.
   *  @param aheadMs for the clock of that node, which caches rows; null: the store is not shared, its nodes have one clock and cache no rows */
  view(aheadMs: number | null = null): StoreView {
    const { inner } = this
    const ahead = { aheadMs: aheadMs ?? 0 }
    const shared = withChanges(inner, {
      sessions: withSessions(inner, { load: id => this.#load(view, id) }),
      accounts: withMethods(inner.accounts, { load: id => this.#loadAccount(view, id) }),
      nodes: {
        isShared: aheadMs !== null,
        aheadMs: () => ahead.aheadMs,
        isAlive: bootId => this.#isAlive(view, bootId),
      },
      commit: commit => this.#commit(view, commit),
      subscribe: listener =>
        inner.subscribe((id, change, owed) => {
          const isTold = aheadMs === null || view === this.#committer
          if (view.fate !== 'gone') listener(id, change, isTold ? owed : undefined)
        }),
    })
    const forgetting = this.#views.length % 2 === 0 ? 'before its commit' : 'after its commit'
    const store = aheadMs === null ? shared : keepingRows(shared, forgetting)
    const view: StoreView = {
      ...ahead,
      faults: [],
      waiting: [],
      isHeld: false,
      failedAt: Number.NEGATIVE_INFINITY,
      fate: 'works',
      store,
    }
    this.#views.push(view)
    return view
  }

  /** The view of the node with this boot id, once the node has committed a row with it. */
  viewOf(bootId: string): StoreView | undefined {
    return this.#viewOf.get(bootId)
  }

  async #load(view: StoreView, id: string): Promise<SessionRow | null> {
    await this.#pass(view)
    return this.inner.sessions.load(id)
  }

  async #loadAccount(view: StoreView, id: string): Promise<AccountRow | null> {
    await this.#pass(view)
    return this.inner.accounts.load(id)
  }

  async #isAlive(view: StoreView, bootId: string): Promise<boolean> {
    await this.#pass(view)
    return (this.#viewOf.get(bootId)?.fate ?? 'works') === 'works'
  }

  async #commit(view: StoreView, commit: Commit): Promise<boolean> {
    await this.#pass(view)
    const fault = view.faults.shift()
    if (view.fate === 'lost' || fault === 'fails') throw this.#failure(view, 'the store is gone')
    if (fault === 'loses') return false
    this.#learn(view, commit)
    this.#committer = view // its listeners are called before the next commit
    const isCommitted = await this.inner.commit(commit)
    if (isCommitted) this.#keep(view, commit, fault === 'unknown')
    await this.#pass(view)
    if (fault === 'unknown') throw this.#failure(view, 'the connection broke')
    return isCommitted
  }

  #failure(view: StoreView, message: string): StoreError {
    view.failedAt = this.#now()
    return new StoreError(message)
  }

  /** Records the boot id of the node of this view. */
  #learn(view: StoreView, { session, delivery }: Commit): void {
    const { claim = null, version } = session?.row ?? {}
    if (claim !== null && claim.number === version) this.#viewOf.set(claim.bootId, view)
    const { bootId = null } = delivery?.row ?? {}
    if (bootId !== null) this.#viewOf.set(bootId, view)
  }

  #keep(by: StoreView, { session, account, inserts = {} }: Commit, isUnknown: boolean): void {
    const at = this.#now()
    if (session) this.committed.push({ id: session.id, row: session.row, by, at, isUnknown })
    if (account) this.accounts.push({ id: account.id, row: account.row, by, at, isUnknown })
    for (const row of inserts.sessions ?? []) this.committed.push({ id: row.id, row, by, at, isUnknown })
  }

  /** Waits while the view is held. A dead process never gets an answer. */
  async #pass(view: StoreView): Promise<void> {
    this.#note()
    if (view.isHeld) await new Promise<void>(resolve => view.waiting.push(resolve))
    if (view.fate === 'gone') await new Promise(() => {})
  }
}
