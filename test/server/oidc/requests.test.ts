/** Requests of sites that an OpenID provider answers beside its flows: forms, requests without a claim, assertions, and the notice of a logout. The log has the
 *  reason of a refusal. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as client from 'openid-client'
import * as assert from 'uvu/assert'
import { deferred } from '../../actors/node.ts'
import { inTime } from '../../patience.ts'
import { suite } from '../../suite.ts'
import { begun, browserOf, loggedIn, siteOf, tokensOf } from './login.ts'
import { CLIENTS, ISSUER, type OidcOfTest, SHOP, startProvider } from './node.ts'

const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'Ed25519'] as const
const keys = await Promise.all(ALGORITHMS.map(alg => generateKeyPair(alg)))
const BANK = {
  client_id: 'bank',
  redirect_uris: [`${SHOP}/back`],
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: await Promise.all(keys.map(({ publicKey }) => exportJWK(publicKey))) },
  scopes: ['age'],
}

type Line = Readonly<Record<string, unknown>>

const notices: string[] = []
const noticed = deferred()
const siteServer = createServer((request, response) => {
  notices.push(request.url ?? '')
  request.resume()
  response.writeHead(request.url === '/deaf' ? 500 : 200).end()
})
const lines: Line[] = []
const told = deferred()
const note = (line: Line): void => {
  lines.push(line)
  if (line.client === 'deaf' && 'reason' in line) told.resolve()
}
let provider: OidcOfTest
const Requests = suite('requests at an OpenID provider')
Requests.before(async () => {
  await new Promise<void>(resolve => siteServer.listen(0, '127.0.0.1', resolve))
  const { port } = siteServer.address() as AddressInfo
  const hearing = (id: string) => ({
    ...CLIENTS[0],
    client_id: id,
    backchannel_logout_uri: `http://127.0.0.1:${port}/${id}`,
  })
  provider = await startProvider(
    { clients: [...CLIENTS, BANK, hearing('here'), hearing('deaf')] },
    {
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        noticed.resolve()
        return response
      },
      log: { info: note, warn: note, error: console.log },
    },
  )
})
Requests.after(async () => {
  await provider.close()
  siteServer.close()
})

Requests('a form at /authorize is the same request as an address', async () => {
  const { url } = await begun(await siteOf(provider, 'shop'))
  const browser = browserOf(provider)
  const { status, location } = await browser.post(`${ISSUER}/authorize`, url.searchParams, {
    'Sec-Fetch-Site': 'cross-site',
  })
  assert.equal([status, location], [303, url.href])
  assert.match((await browser.get(location ?? '')).location ?? '', /\/sign-in\//)
})

Requests('a form at /logout is the same request as an address', async () => {
  const form = new URLSearchParams({ client_id: 'shop', state: 'a b&c' })
  const { status, location } = await browserOf(provider).post(`${ISSUER}/logout`, form)
  assert.equal([status, location], [303, `${ISSUER}/logout?client_id=shop&state=a+b%26c`])
})

Requests('another body at these addresses is refused', async () => {
  for (const path of ['authorize', 'logout']) {
    const { status, text } = await browserOf(provider).post(`${ISSUER}/${path}`, { client_id: 'shop' })
    assert.is(status, 400)
    assert.match(text, /expected application\/x-www-form-urlencoded, got another type/)
    const long = new URLSearchParams({ state: 'a'.repeat(5_000) })
    assert.is((await browserOf(provider).post(`${ISSUER}/${path}`, long)).status, 413)
  }
})

for (const scope of [undefined, 'age'])
  Requests(`the scope ${scope} gives this site no claim: refused before the wallet is asked`, async () => {
    const { url, state } = await begun(await siteOf(provider, 'shop'))
    for (const name of ['scope', 'nonce']) url.searchParams.delete(name)
    if (scope !== undefined) url.searchParams.set('scope', scope)
    const { location } = await browserOf(provider).get(url.href)
    const back = new URL(location ?? '')
    assert.is(back.origin, SHOP)
    assert.equal([back.searchParams.get('error'), back.searchParams.get('state')], ['invalid_scope', state])
  })

/** Pushes a request, with an assertion of this key. */
async function push(index: number, endsAt: number): Promise<Response> {
  const [alg, key] = [ALGORITHMS[index] ?? '', keys[index]?.privateKey]
  const claims = { iss: 'bank', sub: 'bank', aud: ISSUER, jti: `${alg} ${endsAt}`, exp: endsAt }
  const assertion = new SignJWT(claims).setProtectedHeader({ alg })
  return provider.reach(`${ISSUER}/par`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: 'bank',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertion.sign(key ?? new Uint8Array()),
      response_type: 'code',
      redirect_uri: `${SHOP}/back`,
      scope: 'openid age',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    }),
  })
}

const inSec = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds

for (const [index, alg] of ALGORITHMS.entries())
  Requests(`a key of ${alg} proves a client`, async () => {
    assert.is((await push(index, inSec(3_600))).status, 201)
  })

for (const [title, endsAt] of [
  ['in two days', inSec(172_800)],
  ['after the last possible date', 1e300],
] as const)
  Requests(`an assertion that ends ${title} is refused`, async () => {
    const answer = await push(0, endsAt)
    assert.is(answer.status, 401)
    assert.is(Object(await answer.json()).error, 'invalid_client')
    const line = lines.findLast(({ client: id }) => id === 'bank')
    assert.is(line?.reason, 'expected a client_assertion that ends within a day, got a later end')
  })

Requests('the log says why a code was refused, without the code', async () => {
  const site = await siteOf(provider, 'shop')
  const asked = await begun(site)
  const back = await loggedIn(provider, asked)
  const refused = await tokensOf(site, back, { ...asked, verifier: 'v'.repeat(43) }).catch(error => error)
  assert.is(refused.error, 'invalid_grant')
  const line = lines.findLast(({ client: id }) => id === 'shop')
  assert.equal(line, {
    route: 'token',
    client: 'shop',
    error: 'invalid_grant',
    reason: 'code_verifier does not match code_challenge',
  })
})

/** A login, and the logout that the user confirms. */
async function logOut(id: string): Promise<void> {
  const site = await siteOf(provider, id, client.ClientSecretBasic(String(CLIENTS[0]?.client_secret)))
  const browser = browserOf(provider)
  const asked = await begun(site)
  const tokens = await tokensOf(site, await loggedIn(provider, asked, { browser }), asked)
  const page = await browser.get(
    client.buildEndSessionUrl(site, { id_token_hint: tokens.id_token ?? '' }).href,
  )
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.text) ?? []
  await browser.post(`${ISSUER}/logout/confirm`, new URLSearchParams({ xsrf, logout: 'yes' }))
}

Requests('a site at a private address gets the notice of a logout', async () => {
  await logOut('here')
  await inTime(noticed.promise, 'the notice at the site')
  assert.equal(notices, ['/here'])
})

Requests('the log names a site that did not accept the notice of a logout', async () => {
  await logOut('deaf')
  await inTime(told.promise, 'a line about the site')
  assert.equal(lines.filter(({ client: id, reason }) => id === 'deaf' && reason !== undefined).length, 1)
})

Requests.run()
