/** The sign-in page: its browser, its headers, its languages, pairing, and new codes. */
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { newWallet } from '../../wallet/demo-wallets.ts'
import { answered, begun, browserOf, codeOf, pageOf, pointerIn, returned, siteOf } from './login.ts'
import { ISSUER, type OidcOfTest, startProvider } from './node.ts'

const PHONE = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Mobile Safari/537.36'

let provider: OidcOfTest
const Page = suite('the sign-in page')
Page.before(async () => {
  provider = await startProvider()
})
Page.after(() => provider.close())

async function opened(parameters: Readonly<Record<string, string>> = {}, userAgent?: string) {
  const browser = browserOf(provider, userAgent)
  const { url } = await begun(await siteOf(provider, 'shop'), parameters)
  return { browser, ...(await pageOf(browser, url)) }
}

Page('the page loads nothing from other hosts, cannot be framed, and sends no Referer', async () => {
  const { page } = await opened()
  assert.is(page.status, 200)
  const policy = page.headers.get('Content-Security-Policy') ?? ''
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "frame-ancestors 'none'",
  ])
    assert.ok(policy.includes(rule), rule)
  assert.is(policy.includes('unsafe'), false)
  assert.is(page.headers.get('Referrer-Policy'), 'no-referrer')
  assert.is(page.headers.get('Cache-Control'), 'no-store')
  assert.is(page.text.includes('http://') || page.text.includes('https://'), false)
  assert.match(page.text, /Sign in to The shop/)
})

Page('the page has the language of ui_locales, or else that of the browser', async () => {
  const { page: french } = await opened({ ui_locales: 'fr-BE de' })
  assert.match(french.text, /<html lang="fr">[\s\S]*Se connecter à The shop/)
  const { page } = await opened({ ui_locales: 'sv de-AT en' })
  assert.match(page.text, /<html lang="de">[\s\S]*Anmelden bei The shop/)
  const browser = browserOf(provider)
  const { url } = await begun(await siteOf(provider, 'shop'))
  const { location } = await browser.get(url.href)
  const dutch = await browser.get(location ?? '', { 'Accept-Language': 'nl-BE,en;q=0.5' })
  assert.match(dutch.text, /<html lang="nl">/)
})

Page('another browser gets neither the page nor a code', async () => {
  const { at } = await opened()
  const other = browserOf(provider)
  assert.is((await other.get(at)).status, 404)
  for (const call of ['session', 'pairing', 'finish', 'cancel'])
    assert.is((await other.post(`${at}/${call}`, {})).status, 404, call)
  assert.is((await other.get(`${at}/events`)).status, 404)
})

Page('the cookie of one login does not open the page of another', async () => {
  const [mine, other] = [await opened(), await opened()]
  const headers = { Cookie: other.browser.cookiesFor(other.at) }
  assert.is((await browserOf(provider).get(other.at, headers)).status, 200)
  assert.is((await browserOf(provider).get(mine.at, headers)).status, 404)
})

Page('a form or a script of another site is refused', async () => {
  const { browser, at } = await opened()
  for (const site of ['cross-site', 'same-site'])
    assert.is((await browser.post(`${at}/session`, {}, { 'Sec-Fetch-Site': site })).status, 403)
  const ofOrigin = { 'Sec-Fetch-Site': '', Origin: 'https://evil.test' }
  assert.is((await browser.post(`${at}/cancel`, {}, ofOrigin)).status, 403)
})

Page('two logins in two tabs are independent', async () => {
  const browser = browserOf(provider)
  const site = await siteOf(provider, 'shop')
  const [one, two] = [await begun(site), await begun(site)]
  const first = await pageOf(browser, one.url)
  const second = await pageOf(browser, two.url)
  assert.is.not(first.at, second.at)
  const wallet = await newWallet()
  for (const [{ at }, { state }] of [
    [second, two],
    [first, one],
  ] as const) {
    const pointer = await codeOf(browser, at)
    await answered(provider, { wallet, pointer, browser, at })
    assert.is((await returned(browser, at)).searchParams.get('state'), state)
  }
})

Page('the page gets no token of the session', async () => {
  const { browser, at } = await opened()
  const { text } = await browser.post(`${at}/session`, {})
  assert.equal(Object.keys(JSON.parse(text)), ['qr', 'app', 'isPhone', 'isAppOnWeb'])
})

Page('three wrong pairing codes end the session, and a new code logs in', async () => {
  const { browser, at } = await opened()
  const wallet = await newWallet()
  const pointer = await codeOf(browser, at)
  const guesses: object[] = []
  const outcome = await answered(provider, {
    wallet,
    pointer,
    browser,
    at,
    async pairing(code) {
      const wrong = code === '0000' ? '0001' : '0000'
      for (let i = 0; i < 3; i++)
        guesses.push(JSON.parse((await browser.post(`${at}/pairing`, { code: wrong })).text))
    },
  })
  assert.is(outcome.status, 'failed')
  assert.equal(guesses, [
    { isRight: false, isOver: false },
    { isRight: false, isOver: false },
    { isRight: false, isOver: true },
  ])
  await answered(provider, { wallet, pointer: await codeOf(browser, at), browser, at })
  assert.ok((await returned(browser, at)).searchParams.get('code'))
})

Page('of many guesses of a pairing code at the same time, three are compared', async () => {
  const { browser, at } = await opened()
  const pointer = await codeOf(browser, at)
  let answers: readonly string[] = []
  const outcome = await answered(provider, {
    wallet: await newWallet(),
    pointer,
    browser,
    at,
    async pairing(code) {
      const wrong = Array.from({ length: 40 }, (_, i) =>
        `${(Number(code) + 1 + i) % 10_000}`.padStart(4, '0'),
      )
      const guess = async (each: string): Promise<string> =>
        (await browser.post(`${at}/pairing`, { code: each })).text
      answers = await Promise.all(wrong.map(guess))
      await guess(code)
    },
  })
  const compared = answers.filter(text => text === JSON.stringify({ isRight: false, isOver: false }))
  assert.ok(compared.length < 3, `${compared.length} guesses left the session open`)
  assert.is(outcome.status, 'failed')
})

Page('a new QR code ends the former one', async () => {
  const { browser, at } = await opened()
  const wallet = await newWallet()
  const [old, current] = [await codeOf(browser, at), await codeOf(browser, at)]
  assert.is.not((await answered(provider, { wallet, pointer: old, browser, at })).status, 'success')
  assert.is((await browser.post(`${at}/finish`, {})).status, 403, 'the newest session is open')
  assert.is((await answered(provider, { wallet, pointer: current, browser, at })).status, 'success')
  assert.ok((await returned(browser, at)).searchParams.get('code'))
})

Page('a phone opens its own app, without pairing; the app returns to the browser', async () => {
  const { browser, at } = await opened({}, PHONE)
  const pointer = await codeOf(browser, at)
  const paired: string[] = []
  const { clientReturnUrl } = await answered(provider, {
    wallet: await newWallet(),
    pointer,
    browser,
    at,
    pairing: code => void paired.push(code),
  })
  assert.equal(paired, [])
  const page = await browser.get(clientReturnUrl ?? '')
  assert.match(page.text, '"hasReturned":true')
  assert.ok((await returned(browser, at)).searchParams.get('code'))
})

Page('if a phone passes its link to another person, no browser is logged in', async () => {
  const { browser, at } = await opened({}, PHONE)
  const { clientReturnUrl } = await answered(provider, {
    wallet: await newWallet(),
    pointer: await codeOf(browser, at),
    browser,
    at,
  })
  const refused = async () => assert.is((await browser.post(`${at}/finish`, {})).status, 403)
  await refused()
  for (const guess of ['returned=', 'returned=guess', 'returned=a&returned=b', ''])
    assert.match((await browser.get(`${at}?${guess}`)).text, '"hasReturned":false')
  await refused()
  const ofOther = await browserOf(provider, PHONE).get(clientReturnUrl ?? '')
  assert.is(ofOther.status, 404, 'the app of the other person returns to the browser of that person')
  await refused()
})

Page('a phone whose app returns to another browser can log in by pairing', async () => {
  const { browser, at } = await opened({}, PHONE)
  const { text } = await browser.post(`${at}/session`, { hasPairing: true })
  const pointer = pointerIn(text)
  const { clientReturnUrl } = await answered(provider, { wallet: await newWallet(), pointer, browser, at })
  assert.is(clientReturnUrl, null)
  assert.ok((await returned(browser, at)).searchParams.get('code'))
})

Page('the browser may repeat the last call, and gets the same answer', async () => {
  const { browser, at } = await opened()
  await answered(provider, { wallet: await newWallet(), pointer: await codeOf(browser, at), browser, at })
  const [first, again] = [await browser.post(`${at}/finish`, {}), await browser.post(`${at}/finish`, {})]
  assert.is(first.status, 200)
  assert.is(again.text, first.text)
})

Page('after the login, its page is 404 and says that the sign-in has ended', async () => {
  const { browser, at } = await opened()
  await answered(provider, { wallet: await newWallet(), pointer: await codeOf(browser, at), browser, at })
  await returned(browser, at)
  const back = await browser.get(at)
  assert.is(back.status, 404)
  assert.match(back.text, /This sign-in has ended/)
})

Page('an error page has a title for its kind, in the language of ui_locales or of the browser', async () => {
  const { url } = await begun(await siteOf(provider, 'shop'), { ui_locales: 'fr' })
  const german = { 'Accept-Language': 'de' }
  const titleOf = async (address: string, headers = {}): Promise<string | undefined> => {
    const { text } = await browserOf(provider).get(address, headers)
    return /<title>(.*)<\/title>/.exec(text)?.[1]
  }
  url.searchParams.set('redirect_uri', 'https://other.test/')
  assert.is(await titleOf(url.href, german), 'Cette connexion ne peut pas commencer')
  url.searchParams.delete('ui_locales')
  assert.is(await titleOf(url.href, german), 'Diese Anmeldung kann nicht beginnen')
  url.searchParams.set('client_id', 'unknown')
  assert.is(await titleOf(url.href), 'This sign-in cannot begin')
  assert.is(await titleOf(`${ISSUER}/logout?id_token_hint=none`), 'You could not be signed out here')
  assert.is(await titleOf(`${ISSUER}/sign-in/unknown`), 'This sign-in has ended')
})

Page('a browser without cookies gets a page that says that cookies are needed', async () => {
  const { browser, at, page } = await opened()
  assert.match(page.text, /<noscript>[\s\S]*needs JavaScript/)
  assert.match(page.text, /<button id="cancel"[^>]* hidden>/)
  const missing = /Allow cookies for this page/
  assert.match((await browserOf(provider).get(at)).text, missing)
  const wrong = `${ISSUER}/authorize?client_id=unknown`
  assert.not.match((await browserOf(provider).get(wrong)).text, missing, 'the request is wrong')
  assert.not.match((await browser.get(`${ISSUER}/sign-in/unknown`, { Cookie: 'other=1' })).text, missing)
})

Page('a request that no wallet can answer returns to the site at once', async () => {
  const { browser, at, page } = await opened({ claims: '{"userinfo":{"name":null}}' })
  assert.is(page.status, 303)
  assert.is(page.location?.startsWith(`${ISSUER}/authorize/`), true)
  const { location } = await browser.follow(page.location ?? at)
  assert.is(new URL(location ?? '').searchParams.get('error'), 'invalid_request')
})

Page.run()
