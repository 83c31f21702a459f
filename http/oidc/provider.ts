/** The protocol engine: oidc-provider with the flows that this server has. Implicit and hybrid flows, dynamic registration, passwords and device codes are off,
 *  and every authorization request needs PKCE with S256. @module */
import {
  type Account,
  type AdapterFactory,
  type ClientMetadata,
  type Configuration,
  errors,
  type JWKS,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import type { AtOnce } from '../../actors/oidc/at-once.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Fetch } from '../../ports/fetch.ts'
import type { SignInRules } from '../../sessions/sign-in/rules.ts'
import type { HttpDeps } from '../deps.ts'
import { answerErrorPage } from './answer-page.ts'
import { CLIENT_ALGORITHMS } from './client-algorithms.ts'
import type { LoginRecords } from './deps.ts'
import { logRefusals } from './log-refusals.ts'
import { answerLogout, answerLogoutDone } from './logout-pages.ts'
import { loginPolicy } from './policy.ts'
import { type AnswerRecords, returnOnce } from './return-once.ts'
import { rootOf } from './root.ts'
import type { OidcSettings } from './settings.ts'
import { LANGUAGES } from './words/languages.ts'

export type ProviderParts = {
  readonly settings: OidcSettings
  readonly rules: Pick<SignInRules, 'scopes' | 'acrValues'>
  readonly clients: readonly ClientMetadata[]
  /** claims by scope; null: a claim that only the parameter `claims` asks for */
  readonly claimsByScope: Readonly<Record<string, readonly string[] | null>>
  /** private keys for signing, the current one first; secret */
  readonly jwks: JWKS
  readonly adapterFor: AdapterFactory
  readonly logins: Pick<LoginRecords, 'find'>
  /** commits all changes of a call that ends a login together */
  readonly atOnce: AtOnce
  readonly answers: AnswerRecords
  readonly fetch: Fetch
  readonly clock: Pick<Clock, 'wallNow'>
  readonly log: Pick<HttpDeps['log'], 'info' | 'warn'>
  /** receives errors of this program, not of callers */
  readonly report: (error: unknown) => void
}

/** The longest life of an assertion of a client. Its id is stored until it expires, so that it is used once. */
const MAX_ASSERTION_SEC = 86_400

const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const

/** The paths below the issuer. */
const ROUTES: Configuration['routes'] = {
  authorization: '/authorize',
  token: '/token',
  userinfo: '/userinfo',
  jwks: '/jwks',
  introspection: '/introspect',
  revocation: '/revoke',
  pushed_authorization_request: '/par',
  end_session: '/logout',
}

/** The life of a pushed authorization request, seconds. */
const PUSHED_SEC = 60

export function createProvider(parts: ProviderParts): Provider {
  const { settings, report, atOnce, answers } = parts
  const provider = new Provider(settings.issuer, configurationOf(parts))
  // `mountProvider` writes the headers that this setting lets the provider believe
  provider.proxy = true
  provider.on('server_error', (_ctx: KoaContextWithOIDC, error: Error) => report(error))
  logRefusals(provider, parts.log)
  provider.use(
    returnOnce(provider, {
      atOnce,
      answers,
      report,
      keptSec: settings.lifetimes.code,
      root: rootOf(settings),
    }),
  )
  provider.silent = true // otherwise Koa would report the same error a second time
  return provider
}

function configurationOf(parts: ProviderParts): Configuration {
  const { settings, rules, clients, claimsByScope, jwks, adapterFor, fetch } = parts
  const { lifetimes } = settings
  return {
    adapter: adapterFor,
    clients: [...clients],
    // the operator lists all redirect URIs of a client, so its sector is not fetched
    sectorIdentifierUriValidate: () => false,
    jwks,
    // The settings name all addresses that are called. The dispatcher of the provider would refuse private ones, and ignore the proxy of the environment.
    fetch: (url, options = {}) => fetch(url, withoutDispatcher(options)),
    acrValues: [...rules.acrValues],
    scopes: ['openid', ...rules.scopes.keys()],
    claims: { acr: null, auth_time: null, iss: null, sid: null, openid: ['sub'], ...claimsByScope },
    responseTypes: ['code'],
    subjectTypes: ['pairwise'],
    ...clientAuthOf(parts),
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    routes: ROUTES,
    cookies: cookiesOf(settings),
    interactions: { policy: loginPolicy(), url: (_ctx, { uid }) => `${settings.issuer}/sign-in/${uid}` },
    discovery: { ui_locales_supported: [...LANGUAGES] },
    // sites that run only in the browser may call from their own origins
    clientBasedCORS: (_ctx, origin, client) =>
      (client.redirectUris ?? []).some(uri => new URL(uri).origin === origin),
    ...accountsOf(parts),
    features: featuresOf(settings),
    renderError(ctx, { error, error_description = '' }) {
      answerErrorPage(ctx, {
        root: rootOf(settings),
        status: ctx.status,
        detail: `${error}: ${error_description}`,
      })
    },
    ttl: {
      Interaction: lifetimes.interaction,
      AuthorizationCode: lifetimes.code,
      AccessToken: lifetimes.accessToken,
      IdToken: lifetimes.idToken,
      Session: lifetimes.login,
      Grant: Math.max(lifetimes.code + lifetimes.accessToken, lifetimes.login),
      PushedAuthorizationRequest: PUSHED_SEC,
    },
  }
}

function clientAuthOf({ clock }: ProviderParts) {
  return {
    clientAuthMethods: [...AUTH_METHODS],
    enabledJWA: { clientAuthSigningAlgValues: Object.values(CLIENT_ALGORITHMS).flat() },
    async assertJwtClientAuthClaimsAndHeader(_ctx, { exp }) {
      if (!(Number(exp) < clock.wallNow() / 1_000 + MAX_ASSERTION_SEC))
        throw new errors.InvalidClientAuth(
          'expected a client_assertion that ends within a day, got a later end',
        )
    },
  } satisfies Configuration
}

function withoutDispatcher({
  dispatcher: _,
  ...options
}: RequestInit & { readonly dispatcher?: unknown }): RequestInit {
  return options
}

function cookiesOf({ cookieKeys, issuer }: OidcSettings): Configuration['cookies'] {
  const options = {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    secure: issuer.startsWith('https:'),
  } as const
  return {
    keys: [...cookieKeys],
    long: options,
    short: options,
    names: { session: 'oidc_session', interaction: 'oidc_login', resume: 'oidc_resume' },
  }
}

/** An account is one login: its record has the claims and the subject, until its tokens have expired. */
function accountsOf({ logins }: ProviderParts) {
  return {
    async findAccount(_ctx, id): Promise<Account | undefined> {
      const login = await logins.find(id)
      if (login?.state.type !== 'loggedIn') return undefined
      const { claims } = login.state
      return { accountId: id, claims: async () => ({ ...claims, sub: id }) }
    },
    // the provider calls this before it sends the id of an account; a second use of the code may have ended the login meanwhile
    async pairwiseIdentifier(_ctx, id, client) {
      const login = await logins.find(id)
      if (login?.state.type !== 'loggedIn' || login.clientId !== client.clientId)
        throw new errors.InvalidGrant('subject: expected a login of this client, got none')
      return login.state.sub
    },
    async loadExistingGrant({ oidc }) {
      const grantId = oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId)
    },
  } satisfies Pick<Configuration, 'findAccount' | 'pairwiseIdentifier' | 'loadExistingGrant'>
}

function featuresOf(settings: OidcSettings): Configuration['features'] {
  const root = rootOf(settings)
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: true },
    claimsParameter: { enabled: true },
    introspection: {
      enabled: true,
      // a client may ask about its own tokens
      allowedPolicy: (_ctx, client, token) =>
        client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
    },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    pushedAuthorizationRequests: { enabled: true },
    backchannelLogout: { enabled: true },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => answerLogout(ctx, form, root),
      postLogoutSuccessSource: ctx => answerLogoutDone(ctx, root),
    },
    resourceIndicators: { enabled: false },
    dPoP: { enabled: false },
    registration: { enabled: false },
    deviceFlow: { enabled: false },
    clientCredentials: { enabled: false },
  }
}
