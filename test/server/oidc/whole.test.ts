/** The whole login: a site by openid-client, a browser with pairing, and our wallet. */
import * as client from 'openid-client'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { newWallet } from '../../wallet/demo-wallets.ts'
import { begun, loggedIn, siteOf, tokensOf } from './login.ts'
import { type OidcOfTest, startProvider } from './node.ts'

let provider: OidcOfTest
const Whole = suite('a login at an OpenID provider')
Whole.before(async () => {
  provider = await startProvider()
})
Whole.after(() => provider.close())

async function loginAt(id: string, wallet = newWallet()) {
  const site = await siteOf(provider, id)
  const asked = await begun(site)
  const back = await loggedIn(provider, asked, { wallet: await wallet })
  const tokens = await tokensOf(site, back, asked)
  const { sub = '' } = tokens.claims() ?? {}
  const userinfo = await client.fetchUserInfo(site, tokens.access_token, sub)
  return { site, tokens, sub, userinfo }
}

Whole('a login ends with the requested claims, and no others', async () => {
  const { sub, userinfo } = await loginAt('shop')
  assert.equal(userinfo, { sub, over18: true })
})

Whole('the same wallet has the same sub at one site, and another one at the next', async () => {
  const wallet = newWallet()
  const [first, again, other] = [
    await loginAt('shop', wallet),
    await loginAt('shop', wallet),
    await loginAt('club', wallet),
  ]
  assert.is(first.sub, again.sub)
  assert.is.not(first.sub, other.sub)
})

Whole.run()
