/** The adversary has the code of a user, from a log or a history, and no verifier of the login. It redeems the code itself, or has a site redeem it in its own login. It also asks
 *  for logins without PKCE, whose codes need no verifier. @module */
import { begun, loggedIn, siteOf } from '../../server/oidc/login.ts'
import { CLUB } from '../../server/oidc/node.ts'
import type { Attack } from '../attack.ts'
import { atProvider, opensLogin, pushed, redeemed } from '../sign-in.ts'

const PKCE = ['code_challenge', 'code_challenge_method']

export const attack: Attack = {
  name: 'code-injected',
  gains: 'the claims of a user, or a login as that user',
  cites: 'spec/decisions#authorization-codes',
  on: 'own servers',
  run: () =>
    atProvider(async (provider, wallet) => {
      const gained: string[] = []
      const site = await siteOf(provider, 'shop')
      const [asked, other] = [await begun(site), await begun(site)]
      const code = (await loggedIn(provider, asked, { wallet })).searchParams.get('code') ?? ''
      const [right, wrong] = [asked.verifier, other.verifier]
      const tries = [
        ['without a verifier', 'shop', { code }],
        ['with the verifier of another login', 'shop', { code, code_verifier: wrong }],
        ['by another site', 'club', { code, code_verifier: right }],
        [
          'by another site at its address',
          'club',
          { code, code_verifier: right, redirect_uri: `${CLUB}/back` },
        ],
        ['for another address', 'shop', { code, code_verifier: right, redirect_uri: `${CLUB}/back` }],
        ['without an address', 'shop', { code, code_verifier: right, redirect_uri: '' }],
      ] as const
      for (const [what, id, form] of tries)
        if ((await redeemed(provider, id, form)) !== null) gained.push(`a code was redeemed ${what}`)
      if (gained.length === 0 && (await redeemed(provider, 'shop', { code, code_verifier: right })) === null)
        throw new Error('expected a token for the right code')
      for (const change of [
        (request: URL) => PKCE.forEach(name => void request.searchParams.delete(name)),
        (request: URL) => request.searchParams.set('code_challenge_method', 'plain'),
      ]) {
        const { url } = await begun(site)
        change(url)
        if (await opensLogin(provider, url.href)) gained.push('a login began without PKCE')
        if ((await pushed(provider, url.searchParams)) !== null)
          gained.push('a request was pushed without PKCE')
      }
      return gained
    }),
}
