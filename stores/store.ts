/** The interface of a store and its parts. It has several implementations, which share one test suite. The parts only read. `commit` alone changes rows of
 *  sessions, deliveries, accumulators, accounts and the OpenID provider, all in one transaction. @module */
import type { AccountImports } from './account-imports.ts'
import type { AccountId, AccountInserts, AccountRow, AccountStore } from './account-store.ts'
import type { DeliveryRow, DeliveryStore } from './delivery-store.ts'
import type { OidcCommit, OidcStore } from './oidc-store.ts'
import type { Outage } from './outage.ts'
import type { AccumulatorChange, RevocationStore } from './revocation-store.ts'
import type { SessionId, SessionRow, SessionStore, StatusChange } from './session-store.ts'

export interface Store {
  readonly sessions: SessionStore
  /** Pending callbacks and mails, and those that have ended. */
  readonly deliveries: DeliveryStore
  readonly revocation: RevocationStore
  /** The accounts of a keyshare server. */
  readonly accounts: AccountStore
  /** Takes over accounts of another server. Left out: this store cannot. */
  readonly imports?: AccountImports
  /** The records of an OpenID provider. */
  readonly oidc: OidcStore
  readonly nodes: Nodes
  readonly outage: Outage
  /** Executes one transaction. If every row has the version that is named, all rows are set and all inserts are made; otherwise nothing changes.
   *  Events of revocation survive a power cut. If several nodes share the store, the same transaction checks the lease of this node. A node that was
   *  suspended past its lease commits nothing before it has renewed it. Other nodes count it as dead and have restarted its work. The lease must
   *  outlast the longest time that the transaction can take.
   *  @returns false if another version is stored
   *  @throws if an insert or an event is already stored
   *  @throws {StoreError} if the store fails, then the outcome is unknown; or if the lease of this node has expired, then nothing is committed */
  commit(commit: Commit): Promise<boolean>
  /** Calls the listener after each commit of a session or an account. Several commits of one row are reported in their order. A commit of another node
   *  is reported once, and only if it changes a status. The listener must not throw.
   *  @param missed called if commits of other nodes, or own commits with an unknown outcome, may have been missed, because a connection was lost and
   *    opened again. Later commits are reported, so a subscriber that reads its rows again now misses nothing. The new
   *    connection may lead to another database server, so it is called before the first command. Such a server may lack commits that were reported, and
   *    reuse their versions, so no cached row is valid any more. It may be called more than once for one loss. A store that only one process uses never
   *    calls it
   *  @returns a function that unsubscribes */
  subscribe(listener: CommitListener, missed?: () => void): () => void
  close(): Promise<void>
}

/** The store of a session server, which needs no accounts. */
export interface SessionServerStore extends Omit<Store, 'accounts' | 'commit'> {
  /** As `commit` of `Store`. */
  commit(commit: Omit<Commit, 'account'>): Promise<boolean>
}

/** The store of a keyshare server: accounts and pending mails. */
export interface AccountsStore
  extends Pick<Store, 'accounts' | 'deliveries' | 'nodes' | 'subscribe' | 'close'> {
  /** As `commit` of `Store`. */
  commit(commit: Pick<Commit, 'account' | 'delivery' | 'inserts'>): Promise<boolean>
}

/** The processes that use a store. Each has a lease by the time of the store, and renews it every few seconds. A node that was suspended past its
 *  lease renews it and continues with the same boot id. Its claims are void if another node has seen the expired lease; its commits then fail by
 *  their version. */
export interface Nodes {
  /** True: other processes may change the same rows. */
  readonly isShared: boolean
  /** True if the node with this boot id may still be working: its lease is valid. For this node itself: true while it may commit. */
  isAlive(bootId: string): Promise<boolean>
  /** How far the common time of all nodes (time/shared-clock.ts) is ahead of the clock that the store was opened with, as last measured
   *  (time/store-ahead.ts). Negative: behind; 0 if only one process uses the store. */
  aheadMs(): number
}

/** A change of one row, if its version is the named one. */
export type RowChange<Row> = {
  readonly id: string
  /** The version that is stored; 0: there is no such row. */
  readonly version: number
  /** The new row; null: the row is deleted. */
  readonly row: Row | null
}

export type Commit = {
  readonly session?: RowChange<SessionRow>
  readonly delivery?: RowChange<DeliveryRow>
  readonly accumulators?: readonly AccumulatorChange[]
  readonly account?: RowChange<AccountRow>
  readonly oidc?: OidcCommit
  readonly inserts?: Inserts
}

/** Inserts of a commit, in addition to the rows that it sets. */
export type Inserts = {
  /** Callbacks and mails, each of which is performed at least once (actors/deliveries/deliveries.ts). */
  readonly owed?: readonly DeliveryRow[]
  readonly sessions?: readonly SessionRow[]
  /** Only if the commit sets an account. */
  readonly account?: AccountInserts
  /** The change that is reported to the subscribers of all nodes after the commit. */
  readonly change?: StatusChange
}

/** @param owed the inserted deliveries, if this node made the commit. Other nodes do not get them, because all nodes would then attempt them at the same
 *    time. Other nodes find due deliveries within a second (actors/deadlines.ts) */
export type CommitListener = (
  id: SessionId | AccountId,
  change: StatusChange | null,
  owed?: readonly DeliveryRow[],
) => void

/** The deliveries of a store that a server process may be using. */
export type DeliveriesBeside = Pick<Store, 'deliveries' | 'close'> & {
  readonly commit: (commit: Required<Pick<Commit, 'delivery'>>) => Promise<boolean>
  /** Unix ms by the time of the store */
  readonly now: () => number
}
