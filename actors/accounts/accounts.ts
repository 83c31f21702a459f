/** What the other folders see of the accounts of a keyshare server: the gate and its deadlines behind one small interface. @module */
import type { MailLanguage } from '../../accounts/mails/texts.ts'
import type { AccountSecrets } from '../../accounts/secrets.ts'
import type { LoginEvent } from '../../machines/login-events.ts'
import type { AccountId, AccountInserts, AccountRow, StoredCommitment } from '../../stores/account-store.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import type { PublicParts } from './public-parts.ts'

/** What the commit of a step writes besides its row. */
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

/** What a turn does: an event for the chart, and what its commit writes besides. */
export type AccountStep = {
  readonly event: LoginEvent
  /** 32 bytes, where a login is started */
  readonly challenge?: Uint8Array
  /** where commitments are requested */
  readonly commitment?: StoredCommitment
  /** what the record holds from now on */
  readonly secrets?: AccountSecrets
  /** what the activity log says of a wrong PIN */
  readonly refused?: { readonly triesLeft: number; readonly waitSec: number }
  readonly inserts?: AccountStepInserts
}

/** What an account may do now, and what is known of it in this turn. */
export type AccountView = {
  readonly row: AccountRow
  /** Whether the chart takes that event now. */
  readonly can: (event: LoginEvent) => boolean
  /** @throws as `secretsOf`; what was sealed with an older storage key is sealed again by the commit of the turn */
  readonly secrets: () => AccountSecrets
}

/** Looks at the committed row, asks the chart what may happen, and says what to do; may be called again after a lost race. null: nothing. What it throws ends
 *  the turn, and nothing changed. */
export type DecideAccount = (account: AccountView) => AccountStep | null

/** What a turn has come to. */
export type AccountTurn = {
  /** the row that the commit replaced */
  readonly before: AccountRow
  /** the row as committed, or as it was when nothing was to be done; null: it was deleted */
  readonly after: AccountRow | null
  /** the chart took no such event: nothing changed */
  readonly isRefused: boolean
}

export interface Accounts {
  /** Stores a new account.
   *  @throws {Error} if there is one with that name */
  register(account: NewAccount): Promise<AccountRow>
  /** The row after whatever time has caused; null: unknown or deleted.
   *  @throws {AccountClosed} */
  read(id: AccountId): Promise<AccountRow | null>
  /** The same, by the token id that an authentication JWT names. */
  findByTokenId(tokenId: Uint8Array): Promise<AccountRow | null>
  /** @throws {UserNotRegistered} if the account is disabled
   *  @throws {RecordError} */
  secretsOf(row: AccountRow): AccountSecrets
  /** P of each key for the account of that row (public-parts.ts); whoever asks has shown that the account is his. */
  readonly publicParts: PublicParts['of']
  /** One turn of the account. @returns null: unknown or deleted
   *  @throws {AccountClosed} and what `decide` throws */
  turn(id: AccountId, decide: DecideAccount): Promise<AccountTurn | null>
  close(): Promise<void>
}

/** An account whose stored state the chart could not read. Nobody can use it, and nothing deletes it: its row is for the operator, who restores it from a copy. */
export class AccountClosed extends Error {
  override readonly name = 'AccountClosed'
  constructor(id: AccountId) {
    super(`account ${id}: expected a stored state that this server can read, got one that was closed`)
  }
}
