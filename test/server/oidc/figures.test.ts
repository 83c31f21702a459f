/** The figures of logins: how they begin and end, answers of the token endpoint, and the age of keys. */
import * as assert from 'uvu/assert'
import { OpenLogins } from '../../../actors/oidc/open-logins.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { suite } from '../../suite.ts'
import { figuresOf } from './figures.ts'
import { begun, browserOf, codeOf, loggedIn, pageOf, siteOf, tokensOf } from './login.ts'
import { ISSUER, SHOP, startProvider } from './node.ts'

const Figures = suite('OpenID provider: figures of logins')

const finished = (outcome: string, client = 'shop') =>
  `svc_oidc_logins_finished_total{client="${client}",outcome="${outcome}"}`
const tokens = (result: string, client = 'shop') =>
  `svc_oidc_token_requests_total{client="${client}",result="${result}"}`

Figures(
  'a login is counted at its beginning and at its end, with duration and outcome: done or refused',
  async () => {
    const { metrics, value } = figuresOf()
    const provider = await startProvider({}, { metrics })
    const site = await siteOf(provider, 'shop')
    assert.is(await value(finished('done')), 0)
    const asked = await begun(site)
    const back = await loggedIn(provider, asked)
    await tokensOf(site, back, asked)
    assert.is(await value('svc_oidc_logins_begun_total{client="shop"}'), 1)
    assert.is(await value(finished('done')), 1)
    assert.is(await value('svc_oidc_login_seconds_count{outcome="done"}'), 1)
    assert.is(await value(tokens('ok')), 1)
    const browser = browserOf(provider)
    const { at } = await pageOf(browser, (await begun(site)).url)
    await codeOf(browser, at)
    await browser.follow(JSON.parse((await browser.post(`${at}/cancel`, {})).text).location)
    assert.is(await value(finished('refused')), 1)
    assert.is(await value('svc_oidc_logins_begun_total{client="shop"}'), 2)
    assert.is(await value('svc_oidc_logins_begun_total{client="club"}'), 0)
    await provider.close()
  },
)

Figures(
  'a login that no wallet can answer has the outcome error; a request refused at once is not counted',
  async () => {
    const { metrics, value } = figuresOf()
    const provider = await startProvider({}, { metrics })
    const site = await siteOf(provider, 'shop')
    const refused = await browserOf(provider).get((await begun(site, { prompt: 'none' })).url.href)
    assert.match(refused.location ?? '', 'error=login_required')
    const browser = browserOf(provider)
    const { page } = await pageOf(browser, (await begun(site, { claims: '{"userinfo":{"name":null}}' })).url)
    await browser.follow(page.location ?? '')
    assert.is(await value('svc_oidc_logins_begun_total{client="shop"}'), 1)
    assert.is(await value(finished('error')), 1)
    await provider.close()
  },
)

Figures('answers of the token endpoint have their error codes; no text of a caller is a label', async () => {
  const { metrics, value, text } = figuresOf()
  const provider = await startProvider({}, { metrics })
  const call = (form: Record<string, string>) =>
    provider.reach(`${ISSUER}/token`, { method: 'POST', body: new URLSearchParams(form) })
  const grant = { grant_type: 'authorization_code', code: 'secret-code', redirect_uri: `${SHOP}/back` }
  await call({ ...grant, client_id: 'secret-client', client_secret: 'secret-secret' })
  await call({ ...grant, client_id: 'club', client_secret: 'a secret of the club, long enough for HMAC' })
  assert.is(await value(tokens('invalid_client', '')), 1)
  assert.is(await value(tokens('invalid_grant', 'club')), 1)
  metrics.actors.signIns?.tokenAsked('secret-name', 'secret-error')
  assert.is(await value(tokens('other', 'other')), 1)
  assert.is((await text()).includes('secret'), false)
  await provider.close()
})

Figures('the times of the current and the next signing key are shown', async () => {
  const { metrics, value } = figuresOf()
  const provider = await startProvider({}, { metrics })
  for (const state of ['current', 'next']) {
    const since = await value(`svc_oidc_signing_key_timestamp_seconds{alg="RS256",state="${state}"}`)
    assert.ok(since > 1_700_000_000, `${state}: ${since}`)
  }
  await provider.close()
})

Figures('a login that no node has ended is counted as a timeout, once', async () => {
  const clock = createSimulatedClock(0)
  const stored = new Set(['open', 'ended here', 'ended elsewhere', 'later'])
  const timedOut: string[] = []
  const logins = new OpenLogins({
    clock,
    isOpen: async uid => stored.has(uid),
    timedOut: client => void timedOut.push(client),
  })
  for (const uid of ['open', 'ended here', 'ended elsewhere']) logins.begun(uid, uid, 900)
  logins.ended('ended here')
  stored.delete('ended elsewhere')
  clock.advance(60_000)
  logins.begun('later', 'later', 900)
  clock.advance(837_000)
  await logins.check()
  assert.equal(timedOut, [], 'too early')
  clock.advance(1_000)
  await logins.check()
  await logins.check()
  assert.equal(timedOut, ['open'])
})

Figures('a node counts the login of a browser that never returned as a timeout', async () => {
  const { metrics, value } = figuresOf()
  const clock = createSimulatedClock(Date.now())
  const provider = await startProvider({ interaction_lifetime: '60s' }, { metrics, clock })
  await browserOf(provider).get((await begun(await siteOf(provider, 'shop'))).url.href)
  clock.advance(57_000)
  await turns()
  assert.is(await value(finished('timeout')), 0)
  for (let i = 0; i < 2; i++) {
    clock.advance(1_000)
    await turns()
  }
  assert.is(await value(finished('timeout')), 1)
  await provider.close()
})

/** Lets a round of the tasks end, on a store in memory. */
async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
}

Figures.run()
