/** Logins and time: codes that expire, `max_age`, levels of assurance, the expected user, and the time after which nothing is left of a login. */
import * as client from 'openid-client'
import * as assert from 'uvu/assert'
import { createSystemClock } from '../../../ports/clock.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { suite } from '../../suite.ts'
import { newWallet } from '../../wallet/demo-wallets.ts'
import { answered, begun, browserOf, codeOf, loggedIn, pageOf, returned, siteOf, tokensOf } from './login.ts'
import { startProvider } from './node.ts'

const MINUTE_MS = 60_000

/** The clock of the system. A test can set it forward. */
function movableClock() {
  const system = createSystemClock()
  const time = { aheadMs: 0 }
  const clock = {
    ...system,
    now: () => system.now() + time.aheadMs,
    wallNow: () => system.wallNow() + time.aheadMs,
  }
  return { time, clock }
}

const Times = suite('logins and time')

Times('an expired QR code ends no login: the page can ask for a new one', async () => {
  const { time, clock } = movableClock()
  const provider = await startProvider({}, { clock })
  const browser = browserOf(provider)
  const { at } = await pageOf(browser, (await begun(await siteOf(provider, 'shop'))).url)
  const [wallet, old] = [await newWallet(), await codeOf(browser, at)]
  time.aheadMs = 6 * MINUTE_MS
  assert.is.not((await answered(provider, { wallet, pointer: old, browser, at })).status, 'success')
  assert.is((await browser.post(`${at}/finish`, {})).status, 403)
  await answered(provider, { wallet, pointer: await codeOf(browser, at), browser, at })
  assert.ok((await returned(browser, at)).searchParams.get('code'))
  await provider.close()
})

for (const [what, stepMs] of [
  ['no QR code outlives its login: an app that answers later discloses nothing', 9_000],
  ['a login whose steps are within its time succeeds', 2_500],
] as const)
  Times(what, async () => {
    const { time, clock } = movableClock()
    const provider = await startProvider({ interaction_lifetime: '9s' }, { clock })
    const browser = browserOf(provider)
    const { at, page } = await pageOf(browser, (await begun(await siteOf(provider, 'shop'))).url)
    assert.match(page.text, /"leftSec":[89]\b/)
    const pointer = await codeOf(browser, at)
    const pairing = async (code: string): Promise<void> => {
      await browser.post(`${at}/pairing`, { code })
      time.aheadMs += stepMs
    }
    const { status } = await answered(provider, { wallet: await newWallet(), pointer, browser, at, pairing })
    assert.is(status === 'success', stepMs < 9_000, status)
    if (stepMs < 9_000) assert.ok((await returned(browser, at)).searchParams.get('code'))
    else assert.is((await browser.post(`${at}/session`, {})).status, 404)
    await provider.close()
  })

Times('an hour after a login, the store holds the signing keys and nothing else', async () => {
  const { time, clock } = movableClock()
  const store = createMemoryStore()
  const provider = await startProvider({}, { clock, instead: { store } })
  const before = await store.oidc.count()
  const site = await siteOf(provider, 'shop')
  const asked = await begun(site)
  await tokensOf(site, await loggedIn(provider, asked), asked)
  assert.ok((await store.oidc.count()) > before)
  time.aheadMs = 60 * MINUTE_MS
  await store.oidc.dropExpired(clock.now(), 1_000)
  assert.is(await store.oidc.count(), before)
  await provider.close()
})

Times('max_age and acr_values: each login has an auth_time and the preferred level', async () => {
  const provider = await startProvider({
    acr_values: ['low', 'high'],
    claims: {
      over18: { attribute: 'svc-demo.gov.idcard.over18', convert: 'boolean', acr: 'high' },
      city: 'svc-demo.gov.address.city',
    },
  })
  const site = await siteOf(provider, 'shop')
  const browser = browserOf(provider)
  for (const max_age of ['0', '10000']) {
    const asked = await begun(site, { max_age, acr_values: 'high low' })
    const back = await loggedIn(provider, asked, { browser })
    const claims = (await tokensOf(site, back, asked, { maxAge: 60 })).claims()
    assert.is(typeof claims?.auth_time, 'number')
    assert.is(claims?.acr, 'high')
  }
  await provider.close()
})

Times(
  'an essential acr that no claim has is refused, and one that a claim has is in the ID token',
  async () => {
    const provider = await startProvider({
      acr_values: ['low', 'high'],
      claims: {
        over18: { attribute: 'svc-demo.gov.idcard.over18', convert: 'boolean', acr: 'low' },
        city: 'svc-demo.gov.address.city',
      },
    })
    const site = await siteOf(provider, 'shop')
    const claimsFor = (acr: string) =>
      JSON.stringify({ id_token: { acr: { essential: true, values: [acr] } } })
    const browser = browserOf(provider)
    const refused = await pageOf(browser, (await begun(site, { claims: claimsFor('high') })).url)
    const { location } = await browser.follow(refused.page.location ?? '')
    assert.is(new URL(location ?? '').searchParams.get('error'), 'unmet_authentication_requirements')
    const asked = await begun(site, { claims: claimsFor('low') })
    assert.is((await tokensOf(site, await loggedIn(provider, asked), asked)).claims()?.acr, 'low')
    await provider.close()
  },
)

Times('id_token_hint: another user than the expected one is login_required', async () => {
  const provider = await startProvider()
  const site = await siteOf(provider, 'shop')
  const wallet = newWallet()
  const first = await begun(site)
  const tokens = await tokensOf(site, await loggedIn(provider, first, { wallet: await wallet }), first)
  const hint = { id_token_hint: tokens.id_token ?? '' }
  const same = await loggedIn(provider, await begun(site, hint), { wallet: await wallet })
  assert.ok(same.searchParams.get('code'))
  const stranger = await newWallet([
    {
      type: 'svc-demo.gov.idcard',
      attributes: { initials: 'B.', familyname: 'Ander', over18: 'yes', docnumber: 'Y1' },
    },
    { type: 'svc-demo.gov.registration', attributes: { number: '123456782', over18: 'yes' } },
  ])
  const other = await loggedIn(provider, await begun(site, hint), { wallet: stranger })
  assert.is(other.searchParams.get('error'), 'login_required')
  await provider.close()
})

Times('sub in the parameter claims: another user than the expected one is login_required', async () => {
  const provider = await startProvider()
  const site = await siteOf(provider, 'shop')
  const wallet = await newWallet()
  const first = await begun(site)
  const tokens = await tokensOf(site, await loggedIn(provider, first, { wallet }), first)
  const sub = tokens.claims()?.sub ?? ''
  const hint = { id_token_hint: tokens.id_token ?? '' }
  const errorOf = async (ask: object, more = {}) => {
    const claims = JSON.stringify({ id_token: { sub: ask } })
    const back = await loggedIn(provider, await begun(site, { claims, ...more }), { wallet })
    return back.searchParams.get('error')
  }
  for (const ask of [{ value: sub }, { values: ['nobody', sub] }, { essential: true }])
    assert.is(await errorOf(ask), null, Object.keys(ask)[0])
  for (const ask of [
    { value: 'nobody' },
    { value: 5 },
    { value: {} },
    { essential: true, values: ['nobody'] },
  ])
    assert.is(await errorOf(ask), 'login_required')
  assert.is(await errorOf({ value: 'nobody' }, hint), 'login_required')
  await provider.close()
})

Times('random subjects: each login has another sub', async () => {
  const provider = await startProvider({ subject: 'random' })
  const site = await siteOf(provider, 'shop')
  const wallet = await newWallet()
  const subs = new Set<string | undefined>()
  for (let i = 0; i < 2; i++) {
    const asked = await begun(site)
    const tokens = await tokensOf(site, await loggedIn(provider, asked, { wallet }), asked)
    const { sub = '' } = tokens.claims() ?? {}
    subs.add((await client.fetchUserInfo(site, tokens.access_token, sub)).sub)
  }
  assert.is(subs.size, 2)
  await provider.close()
})

Times.run()
