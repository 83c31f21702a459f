/** Another site shows a page of the provider in a frame, below a picture of its own, so that clicks of the user land there. It also reads addresses of the provider in the header
 *  `Referer`, and pages in the cache of a shared computer. @module */
import type { Wallet } from '../../../libraries/wallet/wallet.ts'
import type { Answer } from '../../server/oidc/browser.ts'
import { begun, browserOf, loggedIn, pageOf, siteOf, tokensOf } from '../../server/oidc/login.ts'
import { ISSUER, type OidcOfTest, SHOP } from '../../server/oidc/node.ts'
import type { Attack } from '../attack.ts'
import { atProvider } from '../sign-in.ts'

export const attack: Attack = {
  name: 'sign-in-framed',
  gains: 'clicks on a page of the provider in a frame of another site, or its addresses',
  cites: 'spec/decisions#browser-of-a-login',
  on: 'own servers',
  run: () =>
    atProvider(async (provider, wallet) => {
      const answers = await answersOf(provider, wallet)
      return Object.entries(answers).flatMap(([what, answer]) => [
        ...(canBeFramed(answer) ? [`${what} can be framed`] : []),
        ...(answer.headers.get('Referrer-Policy') === 'no-referrer' ? [] : [`${what} passes its address on`]),
        ...(isStored(answer) ? [`${what} may be stored`] : []),
      ])
    }),
}

/** Every answer that a browser shows or follows, from the request of the site to the end of the logout. */
async function answersOf(provider: OidcOfTest, wallet: Wallet): Promise<Readonly<Record<string, Answer>>> {
  const [site, browser] = [await siteOf(provider, 'shop'), browserOf(provider)]
  const first = await begun(site)
  const redirect = await browser.get(first.url.href)
  const { page } = await pageOf(browserOf(provider), first.url)
  const wrong = new URL(first.url)
  wrong.searchParams.set('redirect_uri', 'https://evil.test/')
  const asked = await begun(site)
  const back = await loggedIn(provider, asked, { browser, wallet })
  const { id_token = '' } = await tokensOf(site, back, asked)
  const logout = new URL(`${ISSUER}/logout`)
  const hint = { id_token_hint: id_token, post_logout_redirect_uri: `${SHOP}/bye` }
  logout.search = String(new URLSearchParams(hint))
  return {
    'the redirect to the page': redirect,
    'the sign-in page': page,
    'the page of a login that has ended': await browser.get(`${ISSUER}/sign-in/none`),
    'the page of an error': await browser.get(wrong.href),
    'the page of a logout': await browser.get(logout.href),
    'the page after a logout': await browser.get(`${ISSUER}/logout/success`),
  }
}

/** Old browsers know the older header alone. */
function canBeFramed({ headers }: Answer): boolean {
  const policy = headers.get('Content-Security-Policy') ?? ''
  return !policy.includes("frame-ancestors 'none'") || headers.get('X-Frame-Options') !== 'DENY'
}

function isStored({ status, headers }: Answer): boolean {
  return status === 200 && !/no-store/.test(headers.get('Cache-Control') ?? '')
}
