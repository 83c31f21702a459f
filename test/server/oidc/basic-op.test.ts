/** The checks of the conformance profiles "Basic OP" and "Config OP" of OpenID Connect that follow from the specification. Each has its id there. Checks of
 *  flows and features that are off here are those in which the provider refuses. */
import { decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { newWallet } from '../../wallet/demo-wallets.ts'
import { type Begun, begun, browserOf, loggedIn, pageOf, SECRETS, siteOf, tokensOf } from './login.ts'
import { ISSUER, type OidcOfTest, SHOP, startProvider } from './node.ts'

let provider: OidcOfTest
let site: client.Configuration
const wallet = await newWallet()
const Basic = suite('OpenID Connect Core 1.0, profile Basic OP')
Basic.before(async () => {
  provider = await startProvider()
  site = await siteOf(provider, 'shop')
})
Basic.after(() => provider.close())

async function login(parameters: Readonly<Record<string, string>> = {}) {
  const asked = await begun(site, parameters)
  const back = await loggedIn(provider, asked, { wallet })
  return { asked, back, tokens: await tokensOf(site, back, asked) }
}

/** The answer to an authorization request that is refused at once. */
async function refusal(change: (url: URL) => void): Promise<URLSearchParams> {
  const { url } = await begun(site)
  change(url)
  const { location } = await browserOf(provider).get(url.href)
  return new URL(location ?? '').searchParams
}

/** A call of the token endpoint, without openid-client. */
async function redeemed({ back, asked }: { readonly back: URL; readonly asked: Begun }, change: object = {}) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: `${SHOP}/back`,
    code_verifier: asked.verifier,
    ...change,
  })
  const basic = Buffer.from(`shop:${encodeURIComponent(SECRETS.shop).replaceAll('%20', '+')}`).toString(
    'base64',
  )
  return provider.reach(`${ISSUER}/token`, {
    method: 'POST',
    body,
    headers: { Authorization: `Basic ${basic}` },
  })
}

Basic('OP-Response-code: the answer has a code, the state and the issuer', async () => {
  const { asked, back } = await login()
  assert.equal([...back.searchParams.keys()].sort(), ['code', 'iss', 'state'])
  assert.is(back.searchParams.get('state'), asked.state)
  assert.is(back.searchParams.get('iss'), ISSUER)
})

Basic('OP-Response-Missing: a request without response_type is refused', async () => {
  assert.is((await refusal(url => url.searchParams.delete('response_type'))).get('error'), 'invalid_request')
})

for (const type of ['token', 'id_token', 'code id_token', 'code token'])
  Basic(`OP-Response-${type.replace(' ', '+')}: the flow is off`, async () => {
    const { url } = await begun(site, { response_type: type })
    const { status, location } = await browserOf(provider).get(url.href)
    const { hash } = new URL(location ?? `${SHOP}/#error=status+${status}`)
    assert.match(hash, /error=unsupported_response_type/)
  })

Basic('OP-Response-form_post: the answer is a form of the browser', async () => {
  const asked = await begun(site, { response_mode: 'form_post' })
  const browser = browserOf(provider)
  const { at } = await pageOf(browser, asked.url)
  const { text } = await browser.post(`${at}/cancel`, {})
  const page = await browser.follow(JSON.parse(text).location)
  assert.match(page.text, new RegExp(`<form method="post" action="${SHOP}/back"`))
  assert.match(page.text, /name="error" value="access_denied"/)
})

Basic(
  'OP-IDToken-RS256, OP-IDToken-kid, OP-IDToken-Signature: signed by a published key that its header names',
  async () => {
    const { tokens } = await login()
    const { alg, kid } = decodeProtectedHeader(tokens.id_token ?? '')
    assert.is(alg, 'RS256')
    const { keys } = Object(await (await provider.reach(`${ISSUER}/jwks`)).json())
    assert.ok(keys.some((key: { readonly kid: string }) => key.kid === kid))
  },
)

Basic('OP-IDToken-iss-aud-sub-exp-iat, OP-nonce-code: the ID token has them', async () => {
  const { tokens, asked } = await login()
  const claims = tokens.claims()
  assert.equal([claims?.iss, claims?.aud, claims?.nonce], [ISSUER, 'shop', asked.nonce])
  assert.ok((claims?.exp ?? 0) > (claims?.iat ?? 0))
  assert.ok((claims?.sub ?? '').length > 20 && (claims?.sub ?? '').length <= 255)
})

Basic('OP-nonce-NoReq-code: a code flow needs no nonce', async () => {
  const asked = await begun(site)
  asked.url.searchParams.delete('nonce')
  const answer = await redeemed({ asked, back: await loggedIn(provider, asked, { wallet }) })
  assert.is(answer.status, 200)
})

Basic(
  'OP-UserInfo-Endpoint, OP-UserInfo-Header, OP-UserInfo-Body: by GET, and by POST with the token in either place',
  async () => {
    const { tokens } = await login()
    const authorization = { Authorization: `Bearer ${tokens.access_token}` }
    const { sub } = tokens.claims() ?? {}
    for (const init of [
      { headers: authorization },
      { method: 'POST', headers: authorization },
      { method: 'POST', body: new URLSearchParams({ access_token: tokens.access_token }) },
    ])
      assert.equal(await (await provider.reach(`${ISSUER}/userinfo`, init)).json(), { sub, over18: true })
    const without = await provider.reach(`${ISSUER}/userinfo`)
    assert.is(without.status, 401)
    const wrong = await provider.reach(`${ISSUER}/userinfo`, { headers: { Authorization: 'Bearer wrong' } })
    assert.is(wrong.status, 401)
    assert.match(wrong.headers.get('WWW-Authenticate') ?? '', /Bearer .*error="invalid_token"/)
  },
)

Basic(
  'OP-ClientAuth-Basic-Static, OP-ClientAuth-SecretPost-Static: both authenticate, and a wrong secret does not',
  async () => {
    const right = await login()
    assert.ok(right.tokens.access_token)
    const club = await siteOf(provider, 'club')
    const asked = await begun(club)
    assert.ok((await tokensOf(club, await loggedIn(provider, asked, { wallet }), asked)).access_token)
    const wrong = await provider.reach(`${ISSUER}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'x',
        redirect_uri: `${SHOP}/back`,
      }),
      headers: { Authorization: `Basic ${btoa('shop:wrong')}` },
    })
    assert.is(wrong.status, 401)
    assert.is(Object(await wrong.json()).error, 'invalid_client')
  },
)

Basic(
  'OP-OAuth-2nd, OP-OAuth-2nd-Revokes: a code is good once, and its second use ends the token',
  async () => {
    const { asked, back, tokens } = await login()
    const again = await redeemed({ asked, back })
    assert.is(again.status, 400)
    assert.is(Object(await again.json()).error, 'invalid_grant')
    const headers = { Authorization: `Bearer ${tokens.access_token}` }
    assert.is((await provider.reach(`${ISSUER}/userinfo`, { headers })).status, 401)
  },
)

Basic(
  'OP-OAuth-2nd-30s: a code of another client, another redirect_uri or another verifier is refused',
  async () => {
    for (const change of [{ redirect_uri: `${SHOP}/other` }, { code_verifier: 'x'.repeat(43) }]) {
      const asked = await begun(site)
      const answer = await redeemed({ asked, back: await loggedIn(provider, asked, { wallet }) }, change)
      assert.is(Object(await answer.json()).error, 'invalid_grant')
    }
    const asked = await begun(await siteOf(provider, 'club'))
    const answer = await redeemed({ asked, back: await loggedIn(provider, asked, { wallet }) })
    assert.is(Object(await answer.json()).error, 'invalid_grant')
  },
)

for (const [id, change] of [
  ['OP-redirect_uri-NotReg', (uri: string) => `${uri}/more`],
  ['OP-redirect_uri-Query-Added', (uri: string) => `${uri}?foo=bar`],
  ['OP-redirect_uri-RegFrag', (uri: string) => `${uri}#fragment`],
  ['OP-redirect_uri-Case', (uri: string) => uri.replace('shop', 'SHOP')],
] as const)
  Basic(`${id}: the browser is sent nowhere`, async () => {
    const { url } = await begun(site)
    url.searchParams.set('redirect_uri', change(`${SHOP}/back`))
    const answer = await browserOf(provider).get(url.href)
    assert.equal([answer.status, answer.location], [400, null])
    assert.match(answer.text, /invalid_redirect_uri|invalid_request/)
  })

Basic(
  'OP-redirect_uri-Missing: a request without redirect_uri is not answered at another address',
  async () => {
    const { url } = await begun(site)
    url.searchParams.delete('redirect_uri')
    assert.is((await browserOf(provider).get(url.href)).status, 400)
  },
)

Basic('OP-Req-NotUnderstood: unknown parameters are ignored', async () => {
  assert.ok((await login({ extra: 'foobar' })).tokens.access_token)
})

Basic('OP-Req-request, OP-Req-request_uri: request objects are off, and say so', async () => {
  assert.is(
    (await refusal(url => url.searchParams.set('request', 'e30.e30.'))).get('error'),
    'request_not_supported',
  )
  const byUri = await begun(site)
  byUri.url.searchParams.set('request_uri', 'https://shop.test/request')
  const { location, text } = await browserOf(provider).get(byUri.url.href)
  assert.match(`${location} ${text}`, /request_uri_not_supported|invalid_request_uri/)
})

for (const display of ['page', 'popup'])
  Basic(`OP-display-${display}: the login works`, async () => {
    assert.ok((await login({ display })).tokens.access_token)
  })

Basic('OP-prompt-login: the user is asked, at each request', async () => {
  assert.ok((await login({ prompt: 'login' })).tokens.access_token)
})

Basic('OP-prompt-consent: the wallet asks for consent', async () => {
  assert.ok((await login({ prompt: 'consent' })).tokens.access_token)
})

Basic('OP-prompt-none-NotLoggedIn, OP-prompt-none-LoggedIn: login_required', async () => {
  assert.is((await refusal(url => url.searchParams.set('prompt', 'none'))).get('error'), 'login_required')
})

Basic('OP-scope-*: claims of the scope come from the userinfo endpoint alone', async () => {
  const { tokens } = await login({ scope: 'openid age city' })
  const claims = tokens.claims()
  const { sub = '' } = claims ?? {}
  assert.equal([claims?.over18, claims?.city], [undefined, undefined])
  assert.equal(await client.fetchUserInfo(site, tokens.access_token, sub), {
    sub,
    over18: true,
    city: 'Utrecht',
  })
})

Basic('OP-scope-unknown: an unknown scope is ignored, and a scope of other clients is refused', async () => {
  assert.ok((await login({ scope: 'openid age nonsense' })).tokens.access_token)
  const club = await siteOf(provider, 'club')
  const { url } = await begun(club, { scope: 'openid city' })
  const { location } = await browserOf(provider).get(url.href)
  assert.is(new URL(location ?? '').searchParams.get('error'), 'invalid_scope')
})

Basic('OP-claims-essential: an essential claim of userinfo is there', async () => {
  const claims = JSON.stringify({ userinfo: { city: { essential: true } } })
  const { tokens } = await login({ scope: 'openid', claims })
  const { sub = '' } = tokens.claims() ?? {}
  assert.equal(await client.fetchUserInfo(site, tokens.access_token, sub), { sub, city: 'Utrecht' })
})

for (const [id, parameters] of [
  ['OP-Req-login_hint', { login_hint: 'buffy@example.com' }],
  ['OP-Req-ui_locales', { ui_locales: 'se' }],
  ['OP-Req-claims_locales', { claims_locales: 'se' }],
  ['OP-Req-acr_values', { acr_values: '1 2' }],
] as const)
  Basic(`${id}: the login works`, async () => {
    assert.ok((await login(parameters)).tokens.access_token)
  })

Basic('OP-Req-max_age=1, OP-Req-max_age=10000: auth_time is there, and recent', async () => {
  for (const max_age of ['1', '10000']) {
    const { auth_time } = (await login({ max_age })).tokens.claims() ?? {}
    assert.ok(Math.abs(Date.now() / 1_000 - (auth_time ?? 0)) < 60)
  }
})

Basic('OP-Discovery-Config, OP-Discovery-jwks_uri: Config OP', async () => {
  const answer = await provider.reach(`${ISSUER}/.well-known/openid-configuration`)
  assert.match(answer.headers.get('Content-Type') ?? '', /^application\/json/)
  const found = Object(await answer.json())
  assert.is(found.issuer, ISSUER)
  for (const name of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'])
    assert.ok(String(found[name]).startsWith(`${ISSUER}/`), name)
  assert.equal(found.response_types_supported, ['code'])
  assert.equal(found.grant_types_supported, ['authorization_code'])
  assert.equal(found.subject_types_supported, ['pairwise'])
  assert.equal(found.code_challenge_methods_supported, ['S256'])
  assert.equal(found.id_token_signing_alg_values_supported, ['RS256'])
  assert.is(found.registration_endpoint, undefined)
  for (const claim of ['sub', 'over18', 'city']) assert.ok(found.claims_supported.includes(claim), claim)
  const { keys } = Object(await (await provider.reach(found.jwks_uri)).json())
  for (const key of keys) assert.equal([key.kty, key.use, key.d, key.p], ['RSA', 'sig', undefined, undefined])
})

Basic('no header of a caller changes an address of the provider', async () => {
  const headers = {
    'X-Forwarded-Host': 'evil.test',
    'X-Forwarded-Proto': 'https',
    Forwarded: 'host=evil.test',
  }
  const answer = await provider.reach(`${ISSUER}/.well-known/openid-configuration`, { headers })
  const found = Object(await answer.json())
  for (const [name, address] of Object.entries(found))
    if (/_endpoint$|^jwks_uri$/.test(name)) assert.ok(String(address).startsWith(`${ISSUER}/`), name)
  const asked = await provider.reach((await begun(site)).url.href, { headers, redirect: 'manual' })
  assert.ok(asked.headers.get('Location')?.startsWith(`${ISSUER}/sign-in/`))
})

Basic.run()
