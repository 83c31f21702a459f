/** The checks of the conformance profiles "Basic OP" and "Config OP" of OpenID Connect that follow from the specification. Each has its id there. Checks of
 *  flows and features that are off here are those in which the provider refuses. */
import { decodeProtectedHeader } from 'jose'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { type Begun, begun, browserOf, loggedIn, pageOf, SECRETS, siteOf, tokensOf } from './login.ts'
import { ISSUER, SHOP } from './node.ts'
import { ground } from './op-ground.ts'

const { provider, site, wallet, login, refusal } = await ground()
const Basic = suite('OpenID Connect Core 1.0, profile Basic OP')
Basic.after(() => provider.close())

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

Basic.run()
