/** The checks of the conformance profiles "Basic OP" and "Config OP" about authorization requests and discovery. Each has its id there. */
import * as client from 'openid-client'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { begun, browserOf, siteOf } from './login.ts'
import { ISSUER, SHOP } from './node.ts'
import { ground } from './op-ground.ts'

const { provider, site, login, refusal } = await ground()
const Basic = suite('OpenID Connect Core 1.0, profile Basic OP: requests')
Basic.after(() => provider.close())

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

Basic('OP-Req-request, OP-Req-request_uri: request objects are refused with their own errors', async () => {
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
