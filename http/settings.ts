/** The settings that the endpoints see: types alone. `server/settings` makes the values, of the options and their defaults. @module */
import type { KeyObject } from 'node:crypto'
import type { Backoff } from '../machines/delivery.ts'
import type { Profile } from '../protocol/profiles.ts'
import type { ExtendedRequest } from '../protocol/request.ts'
import type { SdJwtIssuers } from '../schemes/sd-jwt/issuers.ts'
import type { KeyshareV1 } from '../sessions/first-version.ts'
import type { LongValues } from '../sessions/hashed-values.ts'
import type { ResultSigner } from '../sessions/result-jwt.ts'
import type { StaticFiles } from './static-files.ts'

/** How a requestor proves who it is (spec/interface#5.1): by a token that it sends as it is in `Authorization`, or by the signature of its requests.
 *  Token and HMAC key are secret. */
export type RequestorAuth =
  | { readonly method: 'token'; readonly token: string }
  | { readonly method: 'hmac' | 'publickey'; readonly key: KeyObject }

/** A requestor as configured: its name, its authentication and its permissions. */
export type RequestorSettings = {
  readonly name: string
  readonly auth: RequestorAuth
  readonly disclosePerms: readonly string[]
  readonly signPerms: readonly string[]
  readonly issuePerms: readonly string[]
  readonly revokePerms: readonly string[]
  readonly hostPerms: readonly string[]
}

/** The permissions of every requestor beside its own (spec/interface#5.1, spec/decisions#d9). */
export type GlobalPermissions = Omit<RequestorSettings, 'name' | 'auth'>

/** PEM; the key is secret. */
export type Tls = {
  readonly cert: string
  readonly key: string
  /** Reads the files again; left out: neither is from a file.
   *  @throws {Error} in words for an operator, with nothing secret */
  readonly reread?: () => Tls
}

export type Limits = {
  /** longest body of a request, bytes */
  readonly bodyBytes: number
  /** longest head of a request, bytes: its first line and its headers */
  readonly headBytes: number
  /** longest time for a request's headers to arrive, and again for its body */
  readonly readingMs: number
  /** how long a connection stays without a call: longer than load balancers keep theirs, or one could send a call while it is being closed */
  readonly idleMs: number
  /** longest time to answer a call once it is read */
  readonly handlingMs: number
  /** longest time to answer a submission, which waits for its outcome; apps give up at 20 s */
  readonly outcomeMs: number
  /** how long running requests, and the work on submissions, may continue when the server stops */
  readonly stopMs: number
  /** the pause between the request to stop and the stop, during which the server reports that it is not ready */
  readonly stopDelayMs: number
  /** how long an idle connection stays once the server stops: a request may be on its way there */
  readonly stopIdleMs: number
  /** open event streams of sessions, and again of revocation updates */
  readonly streams: number
  /** the value of `Retry-After` */
  readonly retryAfterSec: number
}

export type ServerSettings = {
  /** with the context base of this server */
  readonly profile: Profile
  /** base address for apps, without the profile's prefix, ending in a slash */
  readonly url: string
  /** sessions that wallet apps start by the name of the session, as their requests were configured */
  readonly staticSessions: ReadonlyMap<string, ExtendedRequest>
  /** null: no files are served */
  readonly staticFolder: StaticFiles | null
  /** path before every endpoint, beginning with a slash; empty: none */
  readonly apiPrefix: string
  /** of the package */
  readonly version: string
  readonly production: boolean
  /** the endpoints are described, at /openapi.json and /openapi */
  readonly openapi: boolean
  /** no requestor authentication (spec/interface#5.1) */
  readonly noAuth: boolean
  readonly requestors: readonly RequestorSettings[]
  /** session requests are accepted signed only (spec/interface#5.1 rule 3) */
  readonly signedRequestsOnly: boolean
  /** longest age of a signed request by its `iat` */
  readonly maxRequestAgeSec: number
  /** null: results are not signed */
  readonly resultSigner: ResultSigner | null
  /** null: requested SD-JWTs are not issued */
  readonly sdJwtIssuers: SdJwtIssuers | null
  readonly permissions: GlobalPermissions
  /** longest stay in a status that no `timeout` bounds, and default of `timeout` (spec/decisions#d3) */
  readonly maxSessionLifetimeMs: number
  /** retention after a final status (spec/interface#3, spec/decisions#d4) */
  readonly resultLifetimeMs: number
  readonly minProtocolVersion: string
  /** whether requestors may have their token appended to `clientReturnUrl` (spec/interface#2.3) */
  readonly augmentClientReturnUrl: boolean
  readonly longValues: LongValues
  readonly keyshareV1: KeyshareV1
  /** hosts that requestors may let this server call (`callbackUrl`, `nextSession.url`) */
  readonly outgoingHosts: readonly string[]
  /** longest `clientReturnUrl` of a request, characters (spec/decisions#max_client_return_url) */
  readonly maxClientReturnUrl: number
  /** whether callbacks may be sent as plain JSON if there is no key to sign results with */
  readonly allowUnsignedCallbacks: boolean
  /** between attempts to deliver a callback */
  readonly callbackBackoff: Backoff
  /** from 1 on, answers to errors carry `stacktrace` (spec/interface#7) */
  readonly verbosity: number
  /** null: plain HTTP */
  readonly tls: Tls | null
  /** TLS of a separate listener for clients; null: plain HTTP */
  readonly clientTls: Tls | null
  readonly limits: Limits
}
