/** Pending callbacks and mails. They are stored apart from sessions and accounts, because a delivery outlives its cause. The commit that causes a
 *  delivery inserts its row (`Inserts.owed`); later only `commit` of the store changes it. @module */
import type { MailKind } from '../accounts/mails/texts.ts'
import type { DeliveryFacts } from '../machines/delivery.ts'
import type { SessionStatus } from '../machines/session.ts'

export type DeliveryRow = DeliveryFacts & {
  /** one per session, so that a callback is sent once, and one per mail; the `Idempotency-Key` of every attempt */
  readonly id: string
  /** id of the session or the account, a hash */
  readonly owner: string
  /** the final status of the session, or the kind of the mail */
  readonly cause: SessionStatus | MailKind
  /** counts commits, from 1 */
  readonly version: number
  /** number of the chart version that wrote it */
  readonly chart: number
  /** host and port to connect to; empty: there is no address. The number of attempts per host is limited */
  readonly host: string
  /** the requestor of the session; null: a mail, or a row of a version that did not store requestors */
  readonly requestor: string | null
  /** Unix ms */
  readonly owedAt: number
  /** the process that makes the current attempt; null: no attempt is running */
  readonly bootId: string | null
  /** outcome of the last attempt, as text without secrets; null: there was no attempt */
  readonly lastOutcome: string | null
  /** message and recipient (actors/deliveries/owed-callback.ts, accounts/mails/sealed-mail.ts), secret; null after the delivery has ended */
  readonly message: string | null
}

/** The recipient's host or the sending requestor; the number of pending deliveries is limited for each. */
export type DeliveryParty = { readonly host: string } | { readonly requestor: string }

/** A delivery in a list: without large values and without secrets. */
export type ListedDelivery = Pick<
  DeliveryRow,
  'id' | 'version' | 'state' | 'cause' | 'owedAt' | 'dueAt' | 'giveUpAt' | 'attempts'
>

export interface DeliveryStore {
  load(id: string): Promise<DeliveryRow | null>
  /** ids for that host that are due at `at`, the oldest first */
  dueOf(host: string, at: number, limit: number): Promise<readonly string[]>
  /** Unix ms of the first time after `at` at which a delivery is due, or null */
  nextDueAfter(at: number): Promise<number | null>
  /** hosts for which a delivery is due at `at` */
  dueHosts(at: number, limit: number): Promise<readonly string[]>
  /** ids with a running attempt, including attempts that a dead process left */
  sending(): Promise<readonly string[]>
  /** All deliveries, in the order in which they were added. */
  list(): Promise<readonly DeliveryRow[]>
  /** Number of stored deliveries, including those that have ended. */
  count(): Promise<number>
  /** Number of deliveries for the host or of the requestor that have not ended. The cost is that of counting up to `limit`.
   *  @returns at most `limit` */
  countOwed(by: DeliveryParty, limit: number): Promise<number>
  /** The deliveries that were added last, the newest first. */
  newest(limit: number): Promise<readonly ListedDelivery[]>
}
