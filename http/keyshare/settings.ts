/** The settings that the endpoints of a keyshare server see: types alone. `server/settings` makes the values, of the options and their defaults. @module */
import type { BlockList } from 'node:net'
import type { MailLanguage } from '../../accounts/mails/words/languages.ts'
import type { KeyshareSigner } from '../../accounts/server-jwts.ts'
import type { StorageKeys } from '../../accounts/storage-keys.ts'
import type { CallerRates } from '../../actors/calls/caller-bounds.ts'
import type { Profile } from '../../protocol/profiles.ts'
import type { KeyshareV1 } from '../../sessions/first-version.ts'
import type { Limits, Tls } from '../settings.ts'

export type KeyshareSettings = {
  readonly profile: Profile
  readonly signer: KeyshareSigner
  /** the keys that seal w_k of a pending commitment */
  readonly storageKeys: StorageKeys
  /** how long an authentication JWT is valid (spec/decisions#k3) */
  readonly jwtValiditySec: number
  /** the language of mails to users whose own this server does not have */
  readonly defaultLanguage: MailLanguage
  /** the calls of the first version of the proofs */
  readonly keyshareV1: KeyshareV1
  /** from 1 on, answers to errors carry `stacktrace` (spec/interface#7) */
  readonly verbosity: number
  /** null: plain HTTP */
  readonly tls: Tls | null
  readonly limits: Limits
  /** the networks of the proxies whose header `X-Forwarded-For` is used */
  readonly trustedProxies: BlockList
  readonly registrationRates: CallerRates
}
