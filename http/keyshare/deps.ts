/** The dependencies of the endpoints of a keyshare server. Each takes only the parts that it names. @module */
import type { Context } from 'koa'
import type { MailLanguage } from '../../accounts/mails/words/languages.ts'
import type { AccountStepInserts, Accounts } from '../../actors/accounts/accounts.ts'
import type { CallerBounds } from '../../actors/calls/caller-bounds.ts'
import type { ProofPool } from '../../actors/workers/proof-pool.ts'
import type { AccountRandomness } from '../../ports/randomness.ts'
import type { SessionPointer } from '../../protocol/session-package.ts'
import type { NoteFirstVersion } from '../../sessions/first-version.ts'
import type { AccountId } from '../../stores/account-store.ts'
import type { CallerNames } from '../caller-names.ts'
import type { HttpDeps } from '../deps.ts'
import type { Readiness } from '../readiness.ts'
import type { KeyshareSettings } from './settings.ts'
import type { IssuerKeys } from './trusted-keys.ts'

export type KeyshareDeps = HttpDeps & {
  readonly accounts: Accounts
  readonly callerNames: CallerNames
  readonly registrations: CallerBounds
  readonly readiness: Readiness
  readonly issuerKeys: IssuerKeys
  readonly settings: KeyshareSettings
  readonly random: AccountRandomness
  /** powers of secrets, in worker threads */
  readonly powers: Pick<ProofPool, 'keyshare' | 'isOverloaded'>
  /** called if `keyshareV1` is `warn` */
  readonly noteFirstVersion: NoteFirstVersion
  /** reserves room for a body that is about to be read; see `reserveBody` of `Sessions` */
  readonly reserveBody: (bytes: number) => () => void
  /** Prepares an issuance of the login credential, in the embedded session server, and stores nothing of it.
   *  @param isRenewal the wallet app discloses its present login credential, which may have expired
   *  @throws {RemoteError} 500 `EXCEPTION`, or 503 */
  readonly prepareLoginSession: (userName: string, isRenewal: boolean) => Promise<LoginSession>
  /** Registers an account that has an address, with a link that confirms the address, and the pending mail.
   *  @param register stores the account and the given inserts in one commit
   *  @throws {InvalidRequestError} for an address that no mail can reach
   *  @throws {TooManyRequestsError} */
  readonly withMail: (
    registered: RegisteredAddress,
    register: (inserts: AccountStepInserts) => Promise<void>,
  ) => Promise<void>
}

export type LoginSession = {
  /** Begins the session.
   *  @returns its pointer, as it is sent to the wallet app */
  readonly open: () => Promise<SessionPointer>
}

export type RegisteredAddress = {
  readonly accountId: AccountId
  /** as the app sent it; not empty */
  readonly email: string
  /** the language of its mails */
  readonly language: MailLanguage
  /** name for the counts of the caller */
  readonly caller: string
}

/** Answers a call by setting status, headers and body.
 *  @template Caller the facts about the call */
export type KeyshareEndpoint<Caller> = (ctx: Context, caller: Caller, body: Uint8Array) => Promise<void>
