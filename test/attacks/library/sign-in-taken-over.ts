/** A login is begun in one browser and finished in another. The other browser knows the address of the page, has the cookie of another login, or makes one of its own. Another
 *  site also sends the forms of the page. @module */
import { begun, browserOf, codeOf, pageOf, siteOf } from '../../server/oidc/login.ts'
import type { OidcOfTest } from '../../server/oidc/node.ts'
import type { Attack } from '../attack.ts'
import { atProvider } from '../sign-in.ts'

const CALLS = ['session', 'pairing', 'finish', 'cancel']
const BODY = { hasPairing: true, code: '0000' }
/** The headers of a form or a script of another site. */
const FOREIGN = [
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.test' },
  { 'Sec-Fetch-Site': 'same-site', Origin: 'http://evil.sign-in.test' },
  { 'Sec-Fetch-Site': '', Origin: 'https://evil.test' },
  { 'Sec-Fetch-Site': '', Origin: 'null' },
]

export const attack: Attack = {
  name: 'sign-in-taken-over',
  gains: 'the login of another browser',
  cites: 'spec/decisions#browser-of-a-login',
  on: 'own servers',
  run: () => atProvider(async provider => [...(await byBrowsers(provider)), ...(await byForms(provider))]),
}

async function opened(provider: OidcOfTest) {
  const browser = browserOf(provider)
  const { at } = await pageOf(browser, (await begun(await siteOf(provider, 'shop'))).url)
  await codeOf(browser, at)
  return { browser, at }
}

async function byBrowsers(provider: OidcOfTest): Promise<string[]> {
  const [mine, other] = [await opened(provider), await opened(provider)]
  const uid = mine.at.split('/').at(-1) ?? ''
  const ofOther = other.browser.cookiesFor(other.at)
  if (!ofOther.includes('oidc_login=')) throw new Error('expected the cookie of a login, got none')
  const signature = /oidc_login\.sig=([^;]+)/.exec(ofOther)?.[1] ?? ''
  const cookies = {
    'without a cookie': '',
    'with the cookie of another login': ofOther,
    'with a cookie of its own': `oidc_login=${uid}`,
    'with a cookie of its own and the signature of another one': `oidc_login=${uid}; oidc_login.sig=${signature}`,
  }
  const gained: string[] = []
  for (const [what, Cookie] of Object.entries(cookies)) {
    const thief = browserOf(provider)
    const answers = [
      (await thief.get(mine.at, { Cookie })).status,
      await eventsFor(provider, mine.at, Cookie),
    ]
    for (const call of CALLS) answers.push((await thief.post(`${mine.at}/${call}`, BODY, { Cookie })).status)
    if (answers.some(status => status !== 404)) gained.push(`a browser ${what} took part in a login`)
    const resumed = await thief.get(mine.at.replace('/sign-in/', '/authorize/'), { Cookie })
    if (resumed.location !== null) gained.push(`a browser ${what} went on with a login`)
  }
  return gained
}

/** The status of the event stream, which would go on as long as the session. */
async function eventsFor({ reach }: OidcOfTest, at: string, Cookie: string): Promise<number> {
  const { status, body } = await reach(`${at}/events`, { headers: { Cookie } })
  await body?.cancel()
  return status
}

async function byForms(provider: OidcOfTest): Promise<string[]> {
  const { browser, at } = await opened(provider)
  const gained: string[] = []
  for (const headers of FOREIGN)
    for (const call of CALLS)
      if ((await browser.post(`${at}/${call}`, BODY, headers)).status !== 403)
        gained.push(`another site called ${call}`)
  return gained
}
