/** What a node remembers: one interface in parts, several stores, one shared test suite. The parts read. What changes a row of a session, a delivery, an
 *  accumulator or an account is `commit`, for all of them together. @module */
import type { AccountId, AccountInserts, AccountRow, AccountStore } from './account-store.ts'
import type { DeliveryRow, DeliveryStore } from './delivery-store.ts'
import type { Outage } from './outage.ts'
import type { AccumulatorChange, RevocationStore } from './revocation-store.ts'
import type { SessionId, SessionRow, SessionStore, StatusChange } from './session-store.ts'

export interface Store {
  readonly sessions: SessionStore
  /** Callbacks and mails that are owed, and what is left of those that were. */
  readonly deliveries: DeliveryStore
  readonly revocation: RevocationStore
  /** The accounts of a keyshare server. */
  readonly accounts: AccountStore
  readonly nodes: Nodes
  readonly outage: Outage
  /** One transaction: every row is set, if its stored version is the one that is named, and every insert is made; or nothing at all. Events of revocation
   *  survive a power cut. Where several nodes share the store, it looks at the lease of this node in the same transaction: a node that stood still past its
   *  lease commits nothing before it has renewed it, for the others hold it for gone and have begun its work anew. The lease must outlast the longest time
   *  that the transaction can take.
   *  @returns false if another version is stored
   *  @throws if an insert or an event is stored already @throws {StoreFailure} if the store fails, then the outcome is unknown; or if the lease of this node is
   *  over, then nothing is committed */
  commit(commit: Commit): Promise<boolean>
  /** The listener is called after each commit of a session or an account, and of several commits of one row in their order. Of commits of other nodes it hears
   *  those that change a status, each once. It must not throw.
   *  @param missed is called when commits of other nodes, or own ones whose outcome was unknown, may have been missed: a connection was lost, and is there
   *    again. What is committed from then on is heard, so whoever follows rows reads them again now and has missed nothing. It is called before anything
   *    is asked of a server that may be another one than before: that may lack commits that were told, and give their versions to others, so that nothing
   *    that is known of a row counts any more. It may be called more than once for one loss. A store that one process has for itself never calls it
   *  @returns unsubscribe */
  subscribe(listener: CommitListener, missed?: () => void): () => void
  close(): Promise<void>
}

/** What a session server remembers: it has no accounts, and a store that knows none will do. */
export interface SessionServerStore extends Omit<Store, 'accounts' | 'commit'> {
  /** As `commit` of a store. */
  commit(commit: Omit<Commit, 'account'>): Promise<boolean>
}

/** What a keyshare server remembers of accounts and of mails that are owed. */
export interface AccountsStore
  extends Pick<Store, 'accounts' | 'deliveries' | 'nodes' | 'subscribe' | 'close'> {
  /** As `commit` of a store. */
  commit(commit: Pick<Commit, 'account' | 'delivery' | 'inserts'>): Promise<boolean>
}

/** The processes that are at work on a store. Each has a lease, which it renews by itself every few seconds, by the time of the store. A node that stood still
 *  past its lease renews it and goes on with the same boot id: what it had claimed is void wherever another node has seen it gone, which its commits meet as
 *  another version. */
export interface Nodes {
  /** Whether other processes may be at work on the same rows. */
  readonly isShared: boolean
  /** Whether the node with this boot id may still be at work: its lease is not over. The own node is alive while it may commit. */
  isAlive(bootId: string): Promise<boolean>
  /** How far the time by which all nodes count (time/shared-clock.ts) is ahead of the clock that the store was opened with, as last measured
   *  (time/store-ahead.ts); negative: behind; 0 where one process has the store for itself. */
  aheadMs(): number
}

/** One row, compared by its version and set. */
export type RowChange<Row> = {
  readonly id: string
  /** The version that is stored; 0: there is no such row. */
  readonly version: number
  /** The row from now on; null: it is deleted. */
  readonly row: Row | null
}

export type Commit = {
  readonly session?: RowChange<SessionRow>
  readonly delivery?: RowChange<DeliveryRow>
  readonly accumulators?: readonly AccumulatorChange[]
  readonly account?: RowChange<AccountRow>
  readonly inserts?: Inserts
}

/** What a commit does besides the rows that it sets. */
export type Inserts = {
  /** Callbacks and mails, each of which is performed at least once (actors/deliveries/deliveries.ts). */
  readonly owed?: readonly DeliveryRow[]
  readonly sessions?: readonly SessionRow[]
  /** Where the commit sets an account. */
  readonly account?: AccountInserts
  /** What the subscribers of all nodes hear after the commit. */
  readonly change?: StatusChange
}

/** @param owed the rows that the commit inserted, where this node made it. Other nodes are not told of them, or all would try the same at once: they find what is
 *    due within a second (actors/deadlines.ts) */
export type CommitListener = (
  id: SessionId | AccountId,
  change: StatusChange | null,
  owed?: readonly DeliveryRow[],
) => void

/** The deliveries of a store, beside the process that may be running on it. */
export type DeliveriesBeside = Pick<Store, 'deliveries' | 'close'> & {
  readonly commit: (commit: Required<Pick<Commit, 'delivery'>>) => Promise<boolean>
  /** Unix ms as the times of the store are counted */
  readonly now: () => number
}
