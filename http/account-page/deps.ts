/** The dependencies of the account page. @module */
import type { StorageKeys } from '../../accounts/storage-keys.ts'
import type { LoginMails } from '../../actors/mails/logins.ts'
import type { AccountTimes } from '../../actors/mails/settings.ts'
import type { Owners } from '../../actors/owners/owners.ts'
import type { Randomness } from '../../ports/randomness.ts'
import type { CallerNames } from '../caller-names.ts'
import type { HttpDeps } from '../deps.ts'
import type { BodyDeps } from '../read-body.ts'

/** The path of the page on this server. The path that browsers see may be longer, if a proxy removes its beginning. */
export const ROOT = '/account/'

export type AccountPageDeps = HttpDeps &
  Pick<BodyDeps, 'reserveBody'> & {
    readonly owners: Owners
    readonly callerNames: CallerNames
    readonly loginMails: Pick<LoginMails, 'ask'>
    readonly random: Pick<Randomness, 'token' | 'bytes'>
    readonly storageKeys: StorageKeys
    /** the address at which users reach it, with no slash at its end */
    readonly pageUrl: string
    readonly times: Pick<AccountTimes, 'deleteDays'>
  }
