/** Logins whose sessions run at another session server, over HTTP. */
import { join } from 'node:path'
import * as client from 'openid-client'
import * as assert from 'uvu/assert'
import { freePort } from '../../cli/run-svc.ts'
import { PROJECT } from '../../project.ts'
import { suite } from '../../suite.ts'
import { newWallet } from '../../wallet/demo-wallets.ts'
import { answered, begun, browserOf, codeOf, loggedIn, pageOf, returned, siteOf, tokensOf } from './login.ts'
import { ISSUER, type OidcOfTest } from './node.ts'
import { AUTHS, providerAt, type RemoteOfTest, startSessionServer } from './remote-server.ts'

let server: RemoteOfTest
const Remote = suite('a provider at another session server')
Remote.before(async () => {
  server = await startSessionServer()
})
Remote.after(() => server.close())

async function claimsAt(provider: OidcOfTest, wallet = newWallet()) {
  const site = await siteOf(provider, 'shop')
  const asked = await begun(site)
  const back = await loggedIn(provider, asked, { wallet: await wallet })
  const tokens = await tokensOf(site, back, asked)
  const { sub = '' } = tokens.claims() ?? {}
  return client.fetchUserInfo(site, tokens.access_token, sub)
}

async function startedAt(provider: OidcOfTest) {
  const browser = browserOf(provider)
  const { at, page } = await pageOf(browser, (await begun(await siteOf(provider, 'shop'))).url)
  return { browser, at, page }
}

/** A login whose result the session server, or a machine before it, has changed. */
async function errorAt(provider: OidcOfTest): Promise<string | null> {
  const back = await loggedIn(provider, await begun(await siteOf(provider, 'shop')))
  return back.searchParams.get('error')
}

for (const [method, auth] of Object.entries(AUTHS))
  Remote(`a login ends with its claims: ${method}`, async () => {
    const provider = await providerAt({ url: server.url, ...auth, public_key: server.publicKey })
    const { over18, sub } = await claimsAt(provider)
    assert.is(over18, true)
    assert.ok(sub)
    assert.equal(provider.errors, [])
    await provider.close()
  })

Remote('two providers share a session server: a wallet has the same sub at both', async () => {
  const settings = { url: `${server.url}/`, ...AUTHS.token }
  const [one, other] = [await providerAt(settings), await providerAt(settings)]
  const wallet = newWallet()
  const [first, second] = await Promise.all([claimsAt(one, wallet), claimsAt(other, wallet)])
  assert.equal(first, second)
  await Promise.all([one.close(), other.close()])
})

Remote('wallet apps have no endpoints at the provider, and pages call no other host', async () => {
  const provider = await providerAt({ url: server.url, ...AUTHS.token })
  const { browser, at, page } = await startedAt(provider)
  assert.match(page.headers.get('Content-Security-Policy') ?? '', /connect-src 'self'/)
  const { u } = JSON.parse(await codeOf(browser, at))
  assert.ok(u.startsWith(`${server.url}/`))
  assert.is((await fetch(u, { method: 'DELETE' })).status, 200)
  const { pathname } = new URL(u)
  assert.is((await provider.reach(`${ISSUER}${pathname}`, { method: 'DELETE' })).status, 404)
  await provider.close()
})

Remote('the page gets the statuses of the session from the provider', async () => {
  const provider = await providerAt({ url: server.url, ...AUTHS.token })
  const { browser, at } = await startedAt(provider)
  const pointer = await codeOf(browser, at)
  const events = browser.get(`${at}/events`)
  await answered(provider, { wallet: await newWallet(), pointer, browser, at })
  const { status, headers, text } = await events
  assert.is(status, 200)
  assert.is(headers.get('Content-Type'), 'text/event-stream')
  const told = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  assert.equal(told.slice(-3), ['PAIRING', 'CONNECTED', 'DONE'])
  await provider.close()
})

Remote('three wrong codes end the session, so that no guess pairs a phone', async () => {
  const provider = await providerAt({ url: server.url, ...AUTHS.token })
  const { browser, at } = await startedAt(provider)
  const answers: string[] = []
  const outcome = await answered(provider, {
    wallet: await newWallet(),
    pointer: await codeOf(browser, at),
    browser,
    at,
    async pairing(code) {
      const wrong = code === '0000' ? '0001' : '0000'
      for (let i = 0; i < 3; i++) answers.push((await browser.post(`${at}/pairing`, { code: wrong })).text)
    },
  })
  assert.is.not(outcome.status, 'success')
  assert.is(answers.at(-1), '{"isRight":false,"isOver":true}')
  assert.is((await returned(browser, at)).searchParams.get('error'), 'access_denied')
  await provider.close()
})

Remote('a refusal in the wallet is access_denied', async () => {
  const provider = await providerAt({ url: server.url, ...AUTHS.token })
  const { browser, at } = await startedAt(provider)
  const pointer = await codeOf(browser, at)
  await answered(provider, { wallet: await newWallet(), pointer, browser, at, refuses: true })
  assert.is((await returned(browser, at)).searchParams.get('error'), 'access_denied')
  await provider.close()
})

Remote('a result with a wrong signature is refused', async () => {
  const public_key_file = join(PROJECT, 'test/vectors/keys/kss-0.public.pem')
  const settings = [{ public_key_file }, { public_key: server.publicKey, issuer: 'another server' }]
  for (const trusted of settings) {
    const provider = await providerAt({ url: server.url, ...AUTHS.token, ...trusted })
    assert.is(await errorAt(provider), 'server_error')
    assert.match(JSON.stringify(provider.errors), /a result that the session server signed, got another/)
    await provider.close()
  }
})

Remote('the result of another session is refused, signed or not', async () => {
  for (const more of [{}, { public_key: server.publicKey }]) {
    let earlier: string | null = null
    // the result of the first session answers every later call
    const provider = await providerAt({ url: server.url, ...AUTHS.token, ...more }, async (url, init) => {
      if (!/\/result(?:-jwt)?$/.test(url)) return fetch(url, init)
      earlier ??= await (await fetch(url, init)).text()
      return new Response(earlier)
    })
    assert.is(await errorAt(provider), null)
    assert.is(await errorAt(provider), 'server_error')
    assert.match(JSON.stringify(provider.errors), /got the result of another one/)
    await provider.close()
  }
})

Remote('a result without valid proofs is access_denied', async () => {
  const provider = await providerAt({ url: server.url, ...AUTHS.token }, async (url, init) => {
    const response = await fetch(url, init)
    return url.endsWith('/result')
      ? Response.json({ ...Object(await response.json()), proofStatus: 'INVALID' })
      : response
  })
  assert.is(await errorAt(provider), 'access_denied')
  await provider.close()
})

/** The answer to the page that asks for a code, and the log lines. */
async function faultAt(server: object, between?: Parameters<typeof providerAt>[1]) {
  const provider = await providerAt(server, between)
  const { browser, at } = await startedAt(provider)
  const { status, text } = await browser.post(`${at}/session`, {})
  await provider.close()
  return { status, text, log: JSON.stringify(provider.errors) }
}

Remote('each fault of the session server is 503 for the page, and a log line without secrets', async () => {
  const good = { url: server.url, ...AUTHS.token }
  const nowhere = { ...good, url: `http://127.0.0.1:${await freePort()}` }
  const answering = (body: string, status: number) => async () => new Response(body, { status })
  const late = async () => Promise.reject(new DOMException('late', 'TimeoutError'))
  const faults = [
    [await faultAt(nowhere), /got none: ECONNREFUSED/],
    [await faultAt({ ...good, key: 'another-token' }), /got 403 UNAUTHORIZED: check \\"key\\"/],
    [await faultAt({ ...good, ...AUTHS.hmac, key: 'YW5vdGhlcg==' }), /got 4\d\d [A-Z_]+: check/],
    [await faultAt(good, answering('', 500)), /got status 500: check the address/],
    [await faultAt(good, answering('<html>', 200)), /expected JSON, got another text/],
    [await faultAt(good, late), /expected an answer in time, got none/],
  ] as const
  for (const [{ status, text, log }, line] of faults) {
    assert.is(status, 503)
    assert.match(text, 'the session server is not available')
    assert.match(log, line)
    assert.not.match(log, /token-of|another-token/)
  }
})

Remote.run()
