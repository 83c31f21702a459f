/** What is remembered of callbacks and mails that are owed: beside sessions and accounts, since a delivery outlives what caused it. A row is inserted by
 *  the commit that causes it (`Inserts.owed`) and changes only by `commit` of the store. @module */
import type { MailKind } from '../accounts/mails/texts.ts'
import type { DeliveryFacts } from '../machines/delivery.ts'
import type { SessionStatus } from '../machines/session.ts'

export type DeliveryRow = DeliveryFacts & {
  /** one per session, so that a callback is owed once, and per mail; the `Idempotency-Key` of every attempt */
  readonly id: string
  /** id of the session or the account, a hash */
  readonly owner: string
  /** the final status of the session, or which mail it is */
  readonly cause: SessionStatus | MailKind
  /** counts commits, from 1 */
  readonly version: number
  /** number of the chart that wrote it */
  readonly chart: number
  /** whom to connect to, with the port; empty: there is no address. Attempts are bounded by host */
  readonly host: string
  /** the requestor of the session; null: a mail, or a row of before requestors were kept */
  readonly requestor: string | null
  /** Unix ms */
  readonly owedAt: number
  /** the process that makes the attempt; null: there is none in progress */
  readonly bootId: string | null
  /** what came of the last attempt, in words without anything secret; null: there was none */
  readonly lastOutcome: string | null
  /** what is to be delivered and where (actors/deliveries/owed-callback.ts, accounts/mails/sealed-mail.ts), secret; null once the delivery has ended */
  readonly message: string | null
}

/** Who owes, or who is owed: deliveries are bounded by each. */
export type OwedBy = { readonly host: string } | { readonly requestor: string }

/** A delivery as a list shows it: nothing large is read, and nothing secret. */
export type ListedDelivery = Pick<
  DeliveryRow,
  'id' | 'version' | 'state' | 'cause' | 'owedAt' | 'dueAt' | 'giveUpAt' | 'attempts'
>

export interface DeliveryStore {
  load(id: string): Promise<DeliveryRow | null>
  /** ids of that host whose time has come at `at`, the oldest first */
  dueOf(host: string, at: number, limit: number): Promise<readonly string[]>
  /** Unix ms of the first time after `at` at which one is due, or null */
  nextDueAfter(at: number): Promise<number | null>
  /** hosts of which something is due at `at` */
  dueHosts(at: number, limit: number): Promise<readonly string[]>
  /** ids of which an attempt is in progress, or was when its process died */
  sending(): Promise<readonly string[]>
  /** All, in the order in which they became owed. */
  list(): Promise<readonly DeliveryRow[]>
  /** Deliveries that are stored, those that have ended included. */
  count(): Promise<number>
  /** Deliveries of that host or requestor that have not ended. The cost is that of counting up to `limit`.
   *  @returns at most `limit` */
  countOwed(by: OwedBy, limit: number): Promise<number>
  /** Those that became owed last, the last one first. */
  newest(limit: number): Promise<readonly ListedDelivery[]>
}
