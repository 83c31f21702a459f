/** Accounts of a wallet at keyshare servers: one for each scheme that has such a server (spec 4.5). @module */
import type { SchemeId } from '../../protocol/ids.ts'
import type { ProfileName } from '../../protocol/profiles.ts'

export type KeyshareAccount = {
  readonly scheme: SchemeId
  /** the value of the login credential */
  readonly userName: string
  /** how the names of this server's headers are spelled */
  readonly profile: ProfileName
  /** A change of the PIN succeeded here and failed at another server, and could not be undone: the account is not used. */
  readonly isOutOfSync: boolean
}

/** An authentication JWT, secret. It is kept in memory and in no file. */
export type AuthenticationToken = { readonly jwt: string; readonly expiresAtSec: number }
