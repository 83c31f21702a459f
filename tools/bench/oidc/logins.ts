/** The parties of the sign-in benchmark: browser, wallet app and site, with the calls that they make in a login on a desktop. @module */
import { createHash, randomBytes } from 'node:crypto'
import { type Browser, openBrowser } from '../../../test/server/oidc/browser.ts'
import { pointerIn } from '../../../test/server/oidc/login.ts'
import { call } from '../sessions/client.ts'
import { APP } from '../sessions/measure.ts'

export const CLIENT = { id: 'shop', secret: 'a secret of the benchmark, long enough for HMAC' }
export const BACK = 'http://127.0.0.1/back'
const BASIC = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`

/** The calls of one login. A browser caches the script and the style sheet of the page, so they are left out.
 *  @param issuer without a slash at the end
 *  @param body of the app's submission */
export async function login(issuer: string, body: string): Promise<void> {
  const { browser, at, pointer, verifier } = await openedLogin(issuer)
  const over = new AbortController()
  const events = await fetch(`${at}/events`, {
    headers: { Cookie: browser.cookiesFor(at) },
    signal: over.signal,
  })
  if (!events.ok) throw new Error(`benchmark: expected the events of a login, got ${events.status}`)
  const connected = JSON.parse(await call('GET', pointer.u, APP))
  await browser.post(`${at}/pairing`, { code: connected.options.pairingCode })
  await call('GET', `${pointer.u}/request`, APP)
  await call('POST', `${pointer.u}/proofs`, APP, body)
  over.abort()
  const { location } = JSON.parse((await browser.post(`${at}/finish`, {})).text)
  const code = new URL((await browser.follow(location)).location ?? '').searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', redirect_uri: BACK, code_verifier: verifier, code }
  const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: BASIC }
  const tokens = JSON.parse(
    await call('POST', `${issuer}/token`, headers, new URLSearchParams(form).toString()),
  )
  const authorization = `Bearer ${tokens.access_token}`
  const { over18 } = JSON.parse(await call('GET', `${issuer}/userinfo`, { authorization }))
  if (over18 !== true) throw new Error(`benchmark: expected the claim over18, got ${over18}`)
}

type Opened = {
  readonly browser: Browser
  /** address of the sign-in page */
  readonly at: string
  readonly pointer: { readonly u: string }
  readonly verifier: string
}

/** A login up to the code for the wallet app. */
export async function openedLogin(issuer: string): Promise<Opened> {
  const verifier = randomBytes(32).toString('base64url')
  const asked = {
    client_id: CLIENT.id,
    response_type: 'code',
    redirect_uri: BACK,
    scope: 'openid age',
    state: 'state',
    nonce: 'nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const browser = openBrowser(issuer, fetch)
  const at = (await browser.get(`${issuer}/authorize?${new URLSearchParams(asked)}`)).location ?? ''
  await browser.get(at)
  const { text } = await browser.post(`${at}/session`, { hasPairing: false })
  return { browser, at, pointer: JSON.parse(pointerIn(text)), verifier }
}
