/** The interface of a keyshare server's accounts for the other folders: the gate and its deadlines are behind it. @module */
import type { MailLanguage } from '../../accounts/mails/words/languages.ts'
import { RecordError } from '../../accounts/record-error.ts'
import type { AccountSecrets } from '../../accounts/secrets.ts'
import type { LoginEvent } from '../../machines/login-events.ts'
import type { AccountId, AccountInserts, AccountRow, StoredCommitment } from '../../stores/account-store.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import type { PublicParts } from './public-parts.ts'

/** Rows that the commit of a step writes besides its own row. */
export type AccountStepInserts = Pick<AccountInserts, 'links' | 'usedLink' | 'addresses'> & {
  /** mails, each of which is sent at least once */
  readonly owed?: readonly DeliveryRow[]
}

export type NewAccount = {
  readonly userName: string
  readonly language: MailLanguage
  readonly secrets: AccountSecrets
  readonly inserts?: AccountStepInserts
}

/** One turn: an event for the chart, and further data for its commit. */
export type AccountStep = {
  readonly event: LoginEvent
  /** 32 bytes, if a login is started */
  readonly challenge?: Uint8Array
  /** if commitments are requested */
  readonly commitment?: StoredCommitment
  /** new content of the record */
  readonly secrets?: AccountSecrets
  /** content of the activity log's entry for a wrong PIN */
  readonly refused?: { readonly triesLeft: number; readonly waitSec: number }
  readonly inserts?: AccountStepInserts
}

/** An account in a turn: its row, the events that the chart accepts, and its secrets. */
export type AccountView = {
  readonly row: AccountRow
  /** True if the chart accepts the event now. False also for a response to a commitment that this node may not answer. */
  readonly can: (event: LoginEvent) => boolean
  /** @throws as `secretsOf` */
  readonly secrets: () => AccountSecrets
}

/** Decides on the committed row, with `can` to ask the chart; null: do nothing. May be called again after a lost race. A thrown error ends the turn without a
 *  change. */
export type DecideAccount = (account: AccountView) => AccountStep | null

/** The result of a turn. */
export type AccountTurn = {
  /** the row that the commit replaced */
  readonly before: AccountRow
  /** the row as committed, or as before if there was nothing to do; null: it was deleted */
  readonly after: AccountRow | null
  /** the chart refused the event: nothing changed */
  readonly isRefused: boolean
}

export interface Accounts {
  /** Stores a new account.
   *  @throws {Error} if an account with that name exists */
  register(account: NewAccount): Promise<AccountRow>
  /** The row, including the events that time has caused; null: unknown or deleted.
   *  @throws {AccountClosedError} */
  read(id: AccountId): Promise<AccountRow | null>
  /** As `read`, by the token id in an authentication JWT. */
  findByTokenId(tokenId: Uint8Array): Promise<AccountRow | null>
  /** @throws {UserNotRegisteredError} if the account is disabled
   *  @throws {RecordError} */
  secretsOf(row: AccountRow): AccountSecrets
  /** P of each key for the account of that row (public-parts.ts). The caller must have authenticated as its owner. */
  readonly publicParts: PublicParts['of']
  /** One turn of the account. @returns null: unknown or deleted
   *  @throws {AccountClosedError} and the errors of `decide` */
  turn(id: AccountId, decide: DecideAccount): Promise<AccountTurn | null>
  close(): Promise<void>
}

/** An account whose stored state the chart could not read. It is unusable, and nothing deletes it: the operator restores its row from a backup. */
export class AccountClosedError extends Error {
  override readonly name = 'AccountClosedError'
  constructor(id: AccountId) {
    super(`account ${id}: expected a stored state that this server can read, got one that was closed`)
  }
}

/** True for an error of one account, which others do not have: its record or its stored state cannot be read. */
export function isOfOneAccount(error: unknown): boolean {
  return error instanceof RecordError || error instanceof AccountClosedError
}
