/** The dependencies of the endpoints of the OpenID provider. @module */
import type { Provider } from 'oidc-provider'
import type { AtOnce } from '../../actors/oidc/at-once.ts'
import type { Randomness } from '../../ports/randomness.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type { ClaimsParameter } from '../../sessions/sign-in/asked-claims.ts'
import type { LoginAsk, LoginRequest } from '../../sessions/sign-in/login-request.ts'
import type { LoginPlan } from '../../sessions/sign-in/plan.ts'
import type { LoginRefusal } from '../../sessions/sign-in/rules.ts'
import type { HttpDeps } from '../deps.ts'
import type { EventStreams } from '../event-stream.ts'
import type { BodyDeps } from '../read-body.ts'
import type { Readiness } from '../readiness.ts'
import type { BoundedDeps } from './bounded-requests.ts'
import type { Disclosed, Disclosures, DisclosureTokens } from './disclosures.ts'
import type { OidcSettings } from './settings.ts'

/** The claims of a login that has succeeded. */
export type LoginAnswer = {
  readonly type: 'answer'
  readonly sub: string
  readonly claims: Readonly<Record<string, JsonValue>>
  readonly acr: string | null
}

/** The rules of sign-in of the settings (sessions/sign-in). */
export type SignIn = {
  readonly requestOf: (ask: LoginAsk) => LoginRequest | LoginRefusal
  readonly readClaims: (text: string) => ClaimsParameter
  readonly answerOf: (plan: LoginPlan, outcome: Disclosed) => LoginAnswer | LoginRefusal
}

/** Where a login is stored: structurally the adapter of oidc-provider. */
export type LoginRecords = {
  find(id: string): Promise<Login | undefined>
  /** @param expiresIn seconds */
  upsert(id: string, login: Login, expiresIn: number): Promise<void>
}

/** A login, from its first disclosure session to the end of its tokens. Secret. */
export type Login = {
  readonly clientId: string
  readonly state: LoginState
  /** set when the login has succeeded: this record is deleted together with that grant */
  readonly grantId?: string
}

export type LoginState =
  | (DisclosureTokens & {
      readonly type: 'asked'
      readonly plan: LoginPlan
      /** the code that the wallet app shows; null: no pairing. Browsers never get it */
      readonly pairingCode: string | null
      /** the wallet app gets it in its return URL, and passes it to the browser of the phone; null: pairing is used in its place */
      readonly returnSecret: string | null
      /** true: the wallet app has returned to the browser that began the login */
      readonly hasReturned: boolean
    })
  | ({ readonly type: 'loggedIn' } & Omit<LoginAnswer, 'type'>)

export type OidcDeps = Omit<HttpDeps, 'settings'> &
  Pick<BodyDeps, 'reserveBody'> &
  BoundedDeps & {
    readonly settings: OidcSettings
    /** the provider with the current signing keys */
    readonly provider: () => Provider
    readonly logins: LoginRecords
    /** commits the changes of records together that `logins` and the provider make during a piece of work */
    readonly atOnce: AtOnce
    /** throws `AlreadyConsumedError` for an id that is stored */
    readonly pairingTries: { upsert(id: string, nothing: object, expiresIn: number): Promise<void> }
    readonly random: Pick<Randomness, 'token'>
    readonly signIn: SignIn
    readonly disclosures: Disclosures
    readonly readiness: Readiness
  }

export type InteractionDeps = OidcDeps & { readonly streams: EventStreams }
