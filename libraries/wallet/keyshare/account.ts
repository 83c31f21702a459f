/** The accounts of a wallet at keyshare servers: at most one per scheme with such a server (spec/interface#4.5). @module */
import type { SchemeId } from '../../../protocol/ids.ts'
import type { ProfileName } from '../../../protocol/profiles.ts'

export type KeyshareAccount = {
  readonly scheme: SchemeId
  /** the value of the login credential */
  readonly userName: string
  /** profile that determines the names of this server's headers */
  readonly profile: ProfileName
  /** A change of PIN succeeded here, failed at another server, and could not be undone. The account is not used. */
  readonly isOutOfSync: boolean
}

/** An authentication JWT, secret. It is kept only in memory. */
export type AuthenticationToken = { readonly jwt: string; readonly expiresAtSec: number }
