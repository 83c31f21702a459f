/** The flows of a site beside the plain login: other ends of a login, authentication of clients, tokens. */
import { createPublicKey } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { newWallet } from '../../wallet/demo-wallets.ts'
import { answered, begun, browserOf, codeOf, loggedIn, pageOf, returned, siteOf, tokensOf } from './login.ts'
import { CLIENTS, ISSUER, type OidcOfTest, recordedKey, SHOP, startProvider } from './node.ts'

const privateKey = recordedKey('requestor-rs256')
const jwk = {
  ...createPublicKey(privateKey).export({ format: 'jwk' }),
  kid: 'bank-1',
  use: 'sig',
  alg: 'RS256',
}
const BANK = {
  client_id: 'bank',
  redirect_uris: [`${SHOP}/back`],
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [jwk] },
  scopes: ['age'],
}

let provider: OidcOfTest
const Flows = suite('sites at an OpenID provider')
Flows.before(async () => {
  provider = await startProvider({ clients: [...CLIENTS, BANK] })
})
Flows.after(() => provider.close())

Flows('a refusal in the wallet is access_denied', async () => {
  const asked = await begun(await siteOf(provider, 'shop'))
  const browser = browserOf(provider)
  const { at } = await pageOf(browser, asked.url)
  const pointer = await codeOf(browser, at)
  await answered(provider, { wallet: await newWallet(), pointer, browser, at, refuses: true })
  const back = await returned(browser, at)
  assert.is(back.origin + back.pathname, `${SHOP}/back`)
  assert.is(back.searchParams.get('error'), 'access_denied')
  assert.is(back.searchParams.get('state'), asked.state)
})

Flows('the cancel button of the page is access_denied', async () => {
  const asked = await begun(await siteOf(provider, 'shop'))
  const browser = browserOf(provider)
  const { at } = await pageOf(browser, asked.url)
  await codeOf(browser, at)
  const { text } = await browser.post(`${at}/cancel`, {})
  const { location } = await browser.follow(JSON.parse(text).location)
  assert.is(new URL(location ?? '').searchParams.get('error'), 'access_denied')
})

Flows('prompt=none is login_required, also after a login in this browser', async () => {
  const site = await siteOf(provider, 'shop')
  const browser = browserOf(provider)
  await loggedIn(provider, await begun(site), { browser })
  const { url } = await begun(site, { prompt: 'none' })
  const { location } = await browser.get(url.href)
  assert.is(new URL(location ?? '').searchParams.get('error'), 'login_required')
})

Flows('a second login in one browser asks the wallet again, at another site too', async () => {
  const [shop, club] = [await siteOf(provider, 'shop'), await siteOf(provider, 'club')]
  const browser = browserOf(provider)
  const first = await begun(shop)
  const tokens = await tokensOf(shop, await loggedIn(provider, first, { browser }), first)
  const second = await begun(club)
  const others = await tokensOf(club, await loggedIn(provider, second, { browser }), second)
  assert.is.not(tokens.claims()?.sub, others.claims()?.sub)
  const { sub = '' } = tokens.claims() ?? {}
  assert.equal(
    await client.fetchUserInfo(shop, tokens.access_token, sub),
    { sub, over18: true },
    'the first login stays valid',
  )
})

Flows('a pushed authorization request logs in', async () => {
  const site = await siteOf(provider, 'shop')
  const asked = await begun(site)
  const url = await client.buildAuthorizationUrlWithPAR(site, asked.url.searchParams)
  assert.match(url.search, /request_uri=urn/)
  const back = await loggedIn(provider, { ...asked, url })
  assert.ok((await tokensOf(site, back, asked)).access_token)
})

Flows('a client proves itself with private_key_jwt', async () => {
  const key = await crypto.subtle.importKey(
    'pkcs8',
    privateKey.export({ type: 'pkcs8', format: 'der' }),
    { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const site = await siteOf(provider, 'bank', client.PrivateKeyJwt({ key, kid: 'bank-1' }))
  const asked = await begun(site)
  assert.ok((await tokensOf(site, await loggedIn(provider, asked), asked)).access_token)
})

Flows('a token is active until it is revoked, and only its own client may ask', async () => {
  const site = await siteOf(provider, 'shop')
  const asked = await begun(site)
  const { access_token } = await tokensOf(site, await loggedIn(provider, asked), asked)
  const found = await client.tokenIntrospection(site, access_token)
  assert.is(found.active, true)
  assert.is(found.client_id, 'shop')
  const club = await siteOf(provider, 'club')
  assert.is((await client.tokenIntrospection(club, access_token)).active, false)
  await client.tokenRevocation(site, access_token)
  assert.is((await client.tokenIntrospection(site, access_token)).active, false)
})

Flows('a code is redeemed once, and its second use ends the tokens of the first', async () => {
  const site = await siteOf(provider, 'shop')
  const asked = await begun(site)
  const back = await loggedIn(provider, asked)
  const { access_token } = await tokensOf(site, back, asked)
  const again = await tokensOf(site, back, asked).catch(error => error)
  assert.is(again.error, 'invalid_grant')
  assert.is((await client.tokenIntrospection(site, access_token)).active, false)
})

Flows('a request without PKCE, or with the plain method, is refused', async () => {
  const site = await siteOf(provider, 'shop')
  for (const change of [
    (url: URL) => {
      for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name)
    },
    (url: URL) => url.searchParams.set('code_challenge_method', 'plain'),
  ]) {
    const { url } = await begun(site)
    change(url)
    const { location } = await browserOf(provider).get(url.href)
    assert.is(new URL(location ?? '').searchParams.get('error'), 'invalid_request')
  }
})

Flows('the claims parameter asks for one claim in the ID token', async () => {
  const site = await siteOf(provider, 'shop')
  const claims = JSON.stringify({ id_token: { city: { essential: true } } })
  const asked = await begun(site, { scope: 'openid', claims })
  const tokens = await tokensOf(site, await loggedIn(provider, asked), asked)
  assert.is(tokens.claims()?.city, 'Utrecht')
  assert.is(tokens.claims()?.over18, undefined)
})

Flows(
  'a logout returns the browser to its site, and sends a logout token to the backchannel address',
  async () => {
    const site = await siteOf(provider, 'shop')
    const browser = browserOf(provider)
    const asked = await begun(site)
    const tokens = await tokensOf(site, await loggedIn(provider, asked, { browser }), asked)
    const url = client.buildEndSessionUrl(site, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: `${SHOP}/bye`,
      state: 'away',
    })
    const page = await browser.get(url.href)
    assert.is(page.status, 200)
    assert.match(page.headers.get('Content-Security-Policy') ?? '', /form-action 'self' https:\/\/shop\.test/)
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.text) ?? []
    const { location } = await browser.post(
      `${ISSUER}/logout/confirm`,
      new URLSearchParams({ xsrf, logout: 'yes' }),
    )
    assert.is(location, `${SHOP}/bye?state=away`)
    assert.is(provider.calls.length, 1)
    const [address, body = ''] = provider.calls[0]?.split(' ') ?? []
    assert.is(address, `${SHOP}/logged-out`)
    const keys = createLocalJWKSet(Object(await (await provider.reach(`${ISSUER}/jwks`)).json()))
    const notice = new URLSearchParams(body).get('logout_token') ?? ''
    const { payload } = await jwtVerify(notice, keys, { issuer: ISSUER, audience: 'shop' })
    assert.is(payload.sub, tokens.claims()?.sub)
    assert.equal(payload.events, { 'http://schemas.openid.net/event/backchannel-logout': {} })
    assert.is(payload.nonce, undefined)
  },
)

Flows.run()
