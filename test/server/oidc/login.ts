/** A login from the view of all parties: the site by openid-client, a browser, and a wallet of the demo schemes. @module */
import * as client from 'openid-client'
import {
  answerSession,
  type SessionHandlers,
  type SessionOutcome,
} from '../../../libraries/wallet/session.ts'
import type { Wallet } from '../../../libraries/wallet/wallet.ts'
import { createSystemClock } from '../../../ports/clock.ts'
import { newWallet, deps as walletDeps } from '../../wallet/demo-wallets.ts'
import { type Answer, type Browser, openBrowser } from './browser.ts'
import { CLUB, ISSUER, type OidcOfTest, SHOP } from './node.ts'

export const SECRETS = {
  shop: 'a secret of the shop, long enough for HMAC',
  club: 'a secret of the club, long enough for HMAC',
}

export const BACK_OF_SHOP = `${SHOP}/back`

/** The site: `shop` authenticates by client_secret_basic, `club` by client_secret_post. */
export async function siteOf(
  { reach }: Pick<OidcOfTest, 'reach'>,
  id: string,
  auth: client.ClientAuth = id === 'club'
    ? client.ClientSecretPost(SECRETS.club)
    : client.ClientSecretBasic(SECRETS.shop),
): Promise<client.Configuration> {
  return client.discovery(new URL(ISSUER), id, undefined, auth, {
    execute: [client.allowInsecureRequests],
    [client.customFetch]: (url, init) => reach(url, Object(init)),
  })
}

export type Begun = {
  readonly url: URL
  readonly verifier: string
  readonly state: string
  readonly nonce: string
}

/** An authorization request with PKCE, state and nonce. */
export async function begun(
  site: client.Configuration,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Begun> {
  const verifier = client.randomPKCECodeVerifier()
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const { client_id } = site.clientMetadata()
  const url = client.buildAuthorizationUrl(site, {
    redirect_uri: client_id === 'club' ? `${CLUB}/back` : BACK_OF_SHOP,
    scope: 'openid age',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  })
  return { url, verifier, state, nonce }
}

export function browserOf({ reach }: Pick<OidcOfTest, 'reach'>, userAgent?: string): Browser {
  return openBrowser(ISSUER, reach, userAgent)
}

/** The address of the sign-in page. */
export async function pageOf(
  browser: Browser,
  url: URL,
): Promise<{ readonly at: string; readonly page: Answer }> {
  const asked = await browser.get(url.href)
  const at = asked.location ?? ''
  return { at, page: at.startsWith(`${ISSUER}/sign-in/`) ? await browser.get(at) : asked }
}

/** Begins a session from the page, as its script does.
 *  @returns the content of the QR code, from the link to the app */
export async function codeOf(browser: Browser, at: string): Promise<string> {
  return pointerIn((await browser.post(`${at}/session`, {})).text)
}

/** @param text the answer of `session` */
export function pointerIn(text: string): string {
  const { app } = JSON.parse(text)
  return decodeURIComponent(String(app).replace(/^.*?(?=%7B)/, ''))
}

const agreeing: Pick<SessionHandlers, 'consent'> = {
  consent: async ({ candidates }) => ({
    answer: 'disclose',
    choices: candidates.items.map(() => 0),
  }),
}
const refusing: Pick<SessionHandlers, 'consent'> = { consent: async () => ({ answer: 'refuse' }) }

export type Answering = {
  readonly wallet: Wallet
  readonly pointer: string
  readonly browser: Browser
  readonly at: string
  readonly refuses?: boolean
  /** left out: the user types the code of the app into the page */
  readonly pairing?: (code: string) => unknown
}

/** The wallet answers. The user types the code of the app into the page. */
export async function answered(
  { reach }: Pick<OidcOfTest, 'reach'>,
  { wallet, pointer, browser, at, refuses = false, pairing }: Answering,
): Promise<SessionOutcome> {
  const deps = {
    wallet,
    fetch: reach,
    clock: createSystemClock({ keepsAlive: true }),
    randomBytes: walletDeps.randomBytes,
  }
  return answerSession(deps, pointer, {
    ...(refuses ? refusing : agreeing),
    pairing: code => void (pairing ?? (typed => browser.post(`${at}/pairing`, { code: typed })))(code),
  })
}

/** The address of the site to which the browser returns. */
export async function returned(browser: Browser, at: string): Promise<URL> {
  const { status, text } = await browser.post(`${at}/finish`, {})
  if (status !== 200) throw new Error(`expected the end of a login, got ${status}: ${text}`)
  const { location } = await browser.follow(JSON.parse(text).location)
  return new URL(location ?? '')
}

/** The whole login of a user, up to the address of the site. */
export async function loggedIn(
  provider: Pick<OidcOfTest, 'reach'>,
  { url }: Begun,
  { browser = browserOf(provider), wallet }: { readonly browser?: Browser; readonly wallet?: Wallet } = {},
): Promise<URL> {
  const { at } = await pageOf(browser, url)
  const pointer = await codeOf(browser, at)
  await answered(provider, { wallet: wallet ?? (await newWallet()), pointer, browser, at })
  return returned(browser, at)
}

export type Tokens = client.TokenEndpointResponse & client.TokenEndpointResponseHelpers

/** The tokens that the site gets for the code. */
export function tokensOf(
  site: client.Configuration,
  back: URL,
  { verifier, state, nonce }: Begun,
  checks: client.AuthorizationCodeGrantChecks = {},
): Promise<Tokens> {
  return client.authorizationCodeGrant(site, back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    ...checks,
  })
}
