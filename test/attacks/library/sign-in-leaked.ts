/** A reader of the provider's log and metrics looks for codes, tokens, cookies, PKCE verifiers and claims. The logins include refused ones. @module */
import { prometheusMeter } from '../../../http/metrics/prometheus.ts'
import type { Wallet } from '../../../libraries/wallet/wallet.ts'
import { createSystemClock, preciseNow } from '../../../ports/clock.ts'
import { metricsOn } from '../../../server/metrics/metrics.ts'
import { answered, begun, browserOf, codeOf, pageOf, returned, siteOf } from '../../server/oidc/login.ts'
import { ISSUER, type OidcOfTest } from '../../server/oidc/node.ts'
import type { Attack } from '../attack.ts'
import { atProvider, pushed, redeemed } from '../sign-in.ts'

export const attack: Attack = {
  name: 'sign-in-leaked',
  gains: 'a code, a token or a claim, by reading the log or the metrics',
  cites: 'spec/laws#6',
  on: 'own servers',
  async run() {
    const lines: string[] = []
    const note = (...line: readonly unknown[]): void => void lines.push(JSON.stringify(line, withErrors))
    const clock = createSystemClock()
    const { meter, page } = prometheusMeter({ clock, now: preciseNow, report: note })
    return atProvider(
      async (provider, wallet) => {
        const secrets = await secretsOf(provider, wallet)
        if (lines.length < 10) throw new Error(`expected a line for each call, got ${lines.length} lines`)
        const texts = { 'the log': lines.join('\n'), 'the metrics': (await page()).text }
        return Object.entries(texts).flatMap(([where, text]) =>
          Object.entries(secrets)
            .filter(([, secret]) => text.includes(secret) || text.includes(encodeURIComponent(secret)))
            .map(([what]) => `${what} in ${where}`),
        )
      },
      { verbose: 2 },
      {
        log: { info: note, warn: note, error: note, debug: note },
        metrics: metricsOn(meter, { requestors: [], hasAccounts: false, clients: ['shop', 'club'] }),
      },
    )
  },
}

/** JSON.stringify leaves out the stack and the cause of an error. */
function withErrors(_name: string, value: unknown): unknown {
  return value instanceof Error ? `${value.stack} ${value.cause}` : value
}

/** Plays logins with good and with wrong ends.
 *  @returns the secrets that they had */
async function secretsOf(provider: OidcOfTest, wallet: Wallet): Promise<Readonly<Record<string, string>>> {
  const site = await siteOf(provider, 'shop')
  const browser = browserOf(provider)
  const asked = await begun(site, { scope: 'openid city', login_hint: 'user-of-the-attack' })
  const requestUri = (await pushed(provider, asked.url.searchParams)) ?? ''
  const { at } = await pageOf(browser, asked.url)
  const cookie = /oidc_login\.sig=([^;]+)/.exec(browser.cookiesFor(at))?.[1] ?? ''
  const pointer = await codeOf(browser, at)
  await answered(provider, { wallet, pointer, browser, at })
  const code = (await returned(browser, at)).searchParams.get('code') ?? ''
  await redeemed(provider, 'shop', { code, code_verifier: 'a'.repeat(43) })
  const token = (await redeemed(provider, 'shop', { code, code_verifier: asked.verifier })) ?? ''
  await redeemed(provider, 'shop', { code, code_verifier: asked.verifier })
  for (const bearer of [token, `${token}x`])
    await provider.reach(`${ISSUER}/userinfo`, { headers: { Authorization: `Bearer ${bearer}` } })
  await browser.get(`${ISSUER}/authorize?client_id=shop&code_verifier=${asked.verifier}&code=${code}`)
  const session = String(JSON.parse(pointer).u).split('/').at(-1) ?? ''
  const uid = at.split('/').at(-1) ?? ''
  const found = {
    'a code': code,
    'an access token': token,
    'a verifier': asked.verifier,
    'a cookie': cookie,
    'the state of a site': asked.state,
    'a nonce': asked.nonce,
    'a pushed request': requestUri,
    'the token of a session': session,
    'the id of a login': uid,
    'a claim': 'Utrecht',
    'the name of a user': 'user-of-the-attack',
  }
  const missing = Object.entries(found).filter(([, secret]) => secret === '')
  if (missing.length > 0)
    throw new Error(`expected all secrets, got none of ${missing.map(([what]) => what)}`)
  return found
}
