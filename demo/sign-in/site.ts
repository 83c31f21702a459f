/** A web site that signs its users in with an OpenID provider: authorization code flow with PKCE, in plain code. It keeps one login for each browser, in
 *  memory. @module */

import { createHash } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { html } from '../../http/html.ts'
import type { Randomness } from '../../ports/randomness.ts'
import { answeredStyle, answerPage, type DemoPage, seeOther } from './page.ts'
import type { ProviderCalls } from './provider-calls.ts'

export type DemoSite = {
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
  /** without a slash at the end */
  readonly address: string
  /** without a slash at the end */
  readonly issuer: string
  readonly scope: string
  readonly random: Pick<Randomness, 'token'>
  readonly calls: ProviderCalls
  /** called with the claims of each login */
  readonly onSignedIn: (claims: Claims) => void
}

export type Claims = Readonly<Record<string, unknown>>

/** A login that has begun in a browser, and its claims when it has succeeded. */
type Visit = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly claims: Claims | null
}

const MAX_VISITS = 1_000

export function demoSite(site: DemoSite): RequestListener {
  const visits = new LRUCache<string, Visit>({ max: MAX_VISITS })
  return (req, res) => {
    answer(req, res, site, visits).catch((error: Error) => answerPage(res, failed(error.message), 500))
  }
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  site: DemoSite,
  visits: LRUCache<string, Visit>,
): Promise<void> {
  if (answeredStyle(req, res)) return
  const url = new URL(req.url ?? '/', site.address)
  const cookie = `visit_${site.clientId}` // browsers send cookies to every port of a host
  const [, id = ''] = new RegExp(`(?:^|; )${cookie}=(\\w+)`).exec(req.headers.cookie ?? '') ?? []
  if (url.pathname === '/login') {
    const [newId, visit] = [site.random.token(), newVisit(site)]
    visits.set(newId, visit)
    return seeOther(res, loginAddress(site, visit), `${cookie}=${newId}; Path=/; HttpOnly; SameSite=Lax`)
  }
  const visit = visits.get(id)
  if (url.pathname !== '/back') return show(res, site, visit?.claims ?? null)
  if (visit === undefined || url.searchParams.get('state') !== visit.state)
    throw new Error('expected the answer to a login of this browser, got another one')
  const code = url.searchParams.get('code')
  if (code === null)
    return answerPage(res, failed(`the provider says ${url.searchParams.get('error') ?? 'nothing'}`))
  const claims = await claimsFor(code, visit, site)
  visits.set(id, { ...visit, claims })
  site.onSignedIn(claims)
  seeOther(res, '/')
}

function failed(why: string): DemoPage {
  return { title: 'The login failed', main: html`<p>${why}</p><p><a href="/">Try again</a></p>` }
}

function newVisit({ random }: DemoSite): Visit {
  const verifier = `${random.token()}${random.token()}${random.token()}`
  return { state: random.token(), nonce: random.token(), verifier, claims: null }
}

function loginAddress(
  { issuer, clientId, address, scope }: DemoSite,
  { state, nonce, verifier }: Visit,
): string {
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: `${address}/back`,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope,
    state,
    nonce,
  }
  return `${issuer}/authorize?${new URLSearchParams(asked)}`
}

/** Redeems the code, verifies the ID token, and asks for the claims. */
async function claimsFor(
  code: string,
  { verifier, nonce }: Visit,
  { issuer, clientId, clientSecret, address, calls }: DemoSite,
): Promise<Claims> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    redirect_uri: `${address}/back`,
    code_verifier: verifier,
    code,
  })
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const tokens = await calls(`${issuer}/token`, {
    method: 'POST',
    body,
    headers: { Authorization: `Basic ${basic}` },
  })
  const keys = createLocalJWKSet(Object(await calls(`${issuer}/jwks`, {})))
  const { payload } = await jwtVerify(String(tokens.id_token), keys, { issuer, audience: clientId })
  if (payload.nonce !== nonce) throw new Error('expected the ID token of this login, got another one')
  const claims = await calls(`${issuer}/userinfo`, {
    headers: { Authorization: `Bearer ${tokens.access_token}` },
  })
  if (claims.sub !== payload.sub) throw new Error('expected the claims of this login, got others')
  return claims
}

function show(res: ServerResponse, { name }: DemoSite, claims: Visit['claims']): void {
  const signIn = (words: string) => html`<p><a class="button" href="/login">${words}</a></p>`
  const rows = Object.entries(claims ?? {}).map(
    ([claim, value]) => html`<li><span>${claim}</span><code>${JSON.stringify(value)}</code></li>`,
  )
  const page =
    claims === null
      ? { title: name, main: html`<p>You are not signed in.</p>${signIn('Sign in with your wallet')}` }
      : {
          title: `${name}: you are signed in`,
          main: html`<p>This is all that the site learns:</p><ul class="rows">${rows}</ul>${signIn('Sign in again')}`,
        }
  answerPage(res, page)
}
