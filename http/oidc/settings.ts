/** The settings that the endpoints of the OpenID provider see: types alone. `server/settings` makes the values. @module */
import type { BlockList } from 'node:net'
import type { CallerRates } from '../../actors/calls/caller-bounds.ts'
import type { BoundedRequest } from '../../actors/metrics/sign-in-figures.ts'
import type { Profile } from '../../protocol/profiles.ts'
import type { Limits, Tls } from '../settings.ts'

/** Seconds. */
export type OidcLifetimes = {
  readonly interaction: number
  readonly code: number
  readonly accessToken: number
  readonly idToken: number
  /** how long the browser session is kept, for logging out */
  readonly login: number
}

export type OidcSettings = {
  /** no slash at its end */
  readonly issuer: string
  readonly profile: Profile
  readonly production: boolean
  readonly verbosity: number
  readonly tls: Tls | null
  readonly limits: Limits
  /** the networks of the proxies whose header `X-Forwarded-For` is used */
  readonly trustedProxies: BlockList
  readonly rates: Readonly<Record<BoundedRequest, CallerRates>>
  readonly lifetimes: OidcLifetimes
  /** start of the link that opens the wallet app; the session pointer follows */
  readonly appLink: string
  /** true: the link opens a page, which also a desktop can show */
  readonly isAppOnWeb: boolean
  /** the keys that sign cookies, the current one first; secret */
  readonly cookieKeys: readonly string[]
}
