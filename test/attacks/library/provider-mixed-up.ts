/** A site knows this provider and the one of the adversary. The adversary makes the site send the answer of this provider to its own: by an answer that does not name this
 *  provider (RFC 9207), or by addresses in the discovery document that lead elsewhere. @module */
import type { Wallet } from '../../../libraries/wallet/wallet.ts'
import { begun, browserOf, codeOf, loggedIn, pageOf, siteOf } from '../../server/oidc/login.ts'
import { ISSUER, type OidcOfTest } from '../../server/oidc/node.ts'
import type { Attack } from '../attack.ts'
import { atProvider } from '../sign-in.ts'

const FORGED = {
  'X-Forwarded-Host': 'evil.test',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Prefix': '/evil',
  Forwarded: 'host=evil.test;proto=https',
}

export const attack: Attack = {
  name: 'provider-mixed-up',
  gains: 'a code that a site sends to the wrong provider',
  cites: 'spec/decisions#authorization-codes',
  on: 'own servers',
  run: () =>
    atProvider(async (provider, wallet) => [
      ...(await answersWithoutName(provider, wallet)),
      ...(await foreignAddresses(provider)),
    ]),
}

async function answersWithoutName(provider: OidcOfTest, wallet: Wallet): Promise<string[]> {
  const site = await siteOf(provider, 'shop')
  const answers: readonly (readonly [string, () => Promise<string>])[] = [
    ['a code', async () => (await loggedIn(provider, await begun(site), { wallet })).href],
    ['a refusal at once', async () => locationOf(provider, (await begun(site, { prompt: 'none' })).url)],
    ['a refusal of the page', async () => unanswerable(provider, (await begun(site, NO_CLAIM)).url)],
    ['a cancelled login', async () => cancelled(provider, (await begun(site)).url)],
  ]
  const gained: string[] = []
  for (const [what, answer] of answers) {
    const back = new URL(await answer())
    if (back.searchParams.get('iss') !== ISSUER) gained.push(`${what} does not name the provider`)
  }
  return gained
}

/** A claim that no mapping has, so that the page returns to the site at once. */
const NO_CLAIM = { claims: '{"userinfo":{"name":null}}' }

async function locationOf(provider: OidcOfTest, url: URL): Promise<string> {
  return (await browserOf(provider).get(url.href)).location ?? ''
}

async function unanswerable(provider: OidcOfTest, url: URL): Promise<string> {
  const browser = browserOf(provider)
  const { page } = await pageOf(browser, url)
  const next = page.location ?? ''
  return next.startsWith(ISSUER) ? ((await browser.follow(next)).location ?? '') : next
}

async function cancelled(provider: OidcOfTest, url: URL): Promise<string> {
  const browser = browserOf(provider)
  const { at } = await pageOf(browser, url)
  await codeOf(browser, at)
  const { location } = JSON.parse((await browser.post(`${at}/cancel`, {})).text)
  return (await browser.follow(location)).location ?? ''
}

/** A cache before the provider may store the answer to such a call for everybody. */
async function foreignAddresses({ reach }: OidcOfTest): Promise<string[]> {
  const answer = await reach(`${ISSUER}/.well-known/openid-configuration`, { headers: FORGED })
  const found: Readonly<Record<string, unknown>> = Object(await answer.json())
  const foreign = Object.keys(found).filter(name => /evil\.test|\/evil/.test(String(found[name])))
  const isNamed = found.authorization_response_iss_parameter_supported === true
  return [
    ...foreign.map(name => `${name} leads to the host of a header`),
    ...(isNamed ? [] : ['the provider does not say that its answers name it']),
  ]
}
