/** A provider, a site and a wallet for the checks of the conformance profiles. @module */
import type * as client from 'openid-client'
import { newWallet } from '../../wallet/demo-wallets.ts'
import { type Begun, begun, browserOf, loggedIn, siteOf, type Tokens, tokensOf } from './login.ts'
import { type OidcOfTest, startProvider } from './node.ts'

export type Login = { readonly asked: Begun; readonly back: URL; readonly tokens: Tokens }

export type Ground = {
  readonly provider: OidcOfTest
  readonly site: client.Configuration
  readonly wallet: Awaited<ReturnType<typeof newWallet>>
  login(parameters?: Readonly<Record<string, string>>): Promise<Login>
  /** The answer to an authorization request that is refused at once. */
  refusal(change: (url: URL) => void): Promise<URLSearchParams>
}

export async function ground(): Promise<Ground> {
  const provider = await startProvider()
  const [site, wallet] = [await siteOf(provider, 'shop'), await newWallet()]
  return {
    provider,
    site,
    wallet,
    async login(parameters = {}) {
      const asked = await begun(site, parameters)
      const back = await loggedIn(provider, asked, { wallet })
      return { asked, back, tokens: await tokensOf(site, back, asked) }
    },
    async refusal(change) {
      const { url } = await begun(site)
      change(url)
      const { location } = await browserOf(provider).get(url.href)
      return new URL(location ?? '').searchParams
    },
  }
}
