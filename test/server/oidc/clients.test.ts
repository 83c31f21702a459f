/** Clients that prove who they are by a key, or not at all, and pushed requests. */
import { createPublicKey, type KeyObject, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import * as client from 'openid-client'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { begun, browserOf, loggedIn, siteOf, tokensOf } from './login.ts'
import { CLIENTS, ISSUER, type OidcOfTest, recordedKey, SHOP, startProvider } from './node.ts'

const privateKey = recordedKey('requestor-rs256')
const strangeKey = recordedKey('kss-0')
const jwk = {
  ...createPublicKey(privateKey).export({ format: 'jwk' }),
  kid: 'bank-1',
  use: 'sig',
  alg: 'RS256',
}
const own = { redirect_uris: [`${SHOP}/back`], scopes: ['age'] }
const BANK = {
  ...own,
  client_id: 'bank',
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [jwk] },
}
const APP = { ...own, client_id: 'app', token_endpoint_auth_method: 'none' }

let provider: OidcOfTest
const Clients = suite('clients of an OpenID provider')
Clients.before(async () => {
  provider = await startProvider({ clients: [...CLIENTS, BANK, APP] })
})
Clients.after(() => provider.close())

/** The answer to a pushed request of the bank.
 *  @param changed claims of the assertion */
async function pushed(key: KeyObject, changed: Readonly<Record<string, unknown>> = {}) {
  const nowSec = Math.floor(Date.now() / 1_000)
  const claims = { iss: 'bank', sub: 'bank', aud: ISSUER, jti: randomUUID(), exp: nowSec + 60, ...changed }
  const assertion = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'bank-1' })
  const { url } = await begun(await siteOf(provider, 'bank', client.None()))
  const body = new URLSearchParams(url.searchParams)
  body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
  body.set('client_assertion', await assertion.sign(key))
  const answer = await provider.reach(`${ISSUER}/par`, { method: 'POST', body })
  return { status: answer.status, error: Object(await answer.json()).error }
}

Clients('an assertion of the right key is accepted once', async () => {
  const jti = randomUUID()
  assert.equal(await pushed(privateKey, { jti }), { status: 201, error: undefined })
  assert.equal(await pushed(privateKey, { jti }), { status: 401, error: 'invalid_client' })
})

for (const [what, key, changed, status] of [
  ['another key', strangeKey, {}, 401],
  ['another audience', privateKey, { aud: 'https://other.test' }, 401],
  ['another client', privateKey, { iss: 'shop', sub: 'shop' }, 400],
  ['a past expiry', privateKey, { exp: 1_000_000_000 }, 401],
] as const)
  Clients(`an assertion with ${what} is refused`, async () => {
    const error = status === 401 ? 'invalid_client' : 'invalid_request' // of another client than client_id
    assert.equal(await pushed(key, changed), { status, error })
  })

Clients('a pushed request needs the secret of its client, and is used once', async () => {
  const site = await siteOf(provider, 'shop')
  const asked = await begun(site)
  const without = await provider.reach(`${ISSUER}/par`, { method: 'POST', body: asked.url.searchParams })
  assert.is(without.status, 401)
  const url = await client.buildAuthorizationUrlWithPAR(site, asked.url.searchParams)
  const back = await loggedIn(provider, { ...asked, url })
  assert.ok((await tokensOf(site, back, asked)).access_token)
  const again = await browserOf(provider).get(url.href)
  assert.equal([again.status, again.location], [400, null])
  assert.match(again.text, /invalid_request_uri/)
})

Clients('a pushed request of one client is refused for another', async () => {
  const asked = await begun(await siteOf(provider, 'shop'))
  const url = await client.buildAuthorizationUrlWithPAR(
    await siteOf(provider, 'shop'),
    asked.url.searchParams,
  )
  url.searchParams.set('client_id', 'club')
  const { status, location } = await browserOf(provider).get(url.href)
  assert.equal([status, location], [400, null])
})

Clients('a client without a secret logs in with PKCE alone', async () => {
  const site = await siteOf(provider, 'app', client.None())
  const asked = await begun(site)
  const back = await loggedIn(provider, asked)
  const other = await tokensOf(site, back, { ...asked, verifier: client.randomPKCECodeVerifier() }).catch(
    error => error,
  )
  assert.is(other.error, 'invalid_grant')
  const next = await begun(site)
  const tokens = await tokensOf(site, await loggedIn(provider, next), next)
  const { sub = '' } = tokens.claims() ?? {}
  assert.equal(await client.fetchUserInfo(site, tokens.access_token, sub), { sub, over18: true })
  const found = await client.tokenIntrospection(site, tokens.access_token)
  assert.is(found.active, false, 'a client without a secret may not ask about tokens')
})

Clients('login_hint and the browser: the hint is on no page', async () => {
  const { url } = await begun(await siteOf(provider, 'shop'), { login_hint: 'buffy@example.com' })
  const browser = browserOf(provider)
  const page = await browser.follow(url.href)
  assert.is(page.status, 200)
  assert.not.match(page.text, /buffy/)
})

Clients.run()
