/** Variants of the address of a site, each of which a lenient comparison accepts: at an authorization request, at a pushed one, and at a logout. The browser would take a code, an error
 *  or a user to the adversary. @module */
import type * as client from 'openid-client'
import type { Wallet } from '../../../libraries/wallet/wallet.ts'
import { begun, browserOf, loggedIn, siteOf, tokensOf } from '../../server/oidc/login.ts'
import { ISSUER, type OidcOfTest, SHOP } from '../../server/oidc/node.ts'
import type { Attack } from '../attack.ts'
import { atProvider, opensLogin, pushed } from '../sign-in.ts'

/** @param page an address of the site */
function variantsOf(page: string): readonly string[] {
  const { origin, host, pathname } = new URL(page)
  return [
    ...['https://evil.test/', `https://${host}.evil.test${pathname}`, `https://evil.test/${page}`],
    ...[`https://${host}@evil.test${pathname}`, `https://evil.test@${host}${pathname}`],
    ...[`https://${host}%2eevil.test${pathname}`, `https://evil.test\\@${host}${pathname}`],
    ...[`${origin}:8443${pathname}`, `http://${host}${pathname}`, `//${host}${pathname}`, pathname],
    ...[`${page}/../open?to=https://evil.test`, `${page}/%2e%2e/open`, `${page}/more`, `${page}/`],
    ...[`${page}?next=https://evil.test`, `${page}#fragment`, `${page}%00`, `${page}%0d%0aSet-Cookie:a=b`],
    ...[page.toUpperCase(), page.replace(pathname, pathname.toUpperCase()), `${origin}`, ` ${page}`, '*'],
    ...['javascript:alert(1)', 'data:text/html,evil'],
  ]
}

export const attack: Attack = {
  name: 'redirect-elsewhere',
  gains: 'a browser that the provider sends to an address of the adversary',
  cites: 'spec/decisions#addresses-of-a-site',
  on: 'own servers',
  run: () =>
    atProvider(async (provider, wallet) => {
      const site = await siteOf(provider, 'shop')
      return [...(await afterLogin(provider, site)), ...(await afterLogout(provider, site, wallet))]
    }),
}

async function afterLogin(provider: OidcOfTest, site: client.Configuration): Promise<string[]> {
  if (!(await opensLogin(provider, (await begun(site)).url.href))) throw new Error('expected a login')
  const gained: string[] = []
  for (const uri of variantsOf(`${SHOP}/back`)) {
    const { url } = await begun(site)
    url.searchParams.set('redirect_uri', uri)
    if ((await pushed(provider, url.searchParams)) !== null)
      gained.push(`${uri} was accepted in a pushed request`)
    // a wrong request is refused by a redirect, if its address is right
    for (const change of ['', 'response_type', 'code_challenge']) {
      url.searchParams.delete(change)
      const { location } = await browserOf(provider).get(url.href)
      if (location !== null) gained.push(`the browser went on with ${uri}`)
    }
  }
  return gained
}

async function afterLogout(
  provider: OidcOfTest,
  site: client.Configuration,
  wallet: Wallet,
): Promise<string[]> {
  const browser = browserOf(provider)
  const asked = await begun(site)
  const { id_token = '' } = await tokensOf(site, await loggedIn(provider, asked, { browser, wallet }), asked)
  const gained: string[] = []
  for (const uri of [...variantsOf(`${SHOP}/bye`), `${SHOP}/back`]) {
    const url = new URL(`${ISSUER}/logout`)
    url.search = String(new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: uri }))
    const { status, location } = await browser.get(url.href)
    if (status < 400 || location !== null) gained.push(`a logout goes on with ${uri}`)
  }
  return gained
}
