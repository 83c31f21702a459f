/** Sites with the libraries that sites use, from the blocks of `docs/sign-in-recipes.md`: logins with a wallet at `svc oidc`, refusals and logouts. */
import * as assert from 'uvu/assert'
import { withSvc } from '../../cli/run-svc.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { newWallet } from '../../wallet/demo-wallets.ts'
import { personAt } from './person.ts'
import { newProvider } from './provider.ts'
import { apacheSite, authSite, hasApache, passportSite, type Site, siteOf } from './sites.ts'

const provider = await newProvider()
const sites = {
  passport: await siteOf('passport', provider.address),
  auth: await siteOf('auth', provider.address),
  apache: await siteOf('apache', provider.address),
}
const wallet = newWallet()

const Sites = suite('sites of the recipes for sign-in')
Sites.before(() => provider.start(Object.values(sites).map(({ client }) => client)))
Sites.after(() => provider.close())

/** The same user with a new browser. */
const person = () => personAt(provider, wallet)

/** Another user, who is under 18. */
const young = newWallet([
  {
    type: 'svc-demo.gov.idcard',
    attributes: { initials: 'C.', familyname: 'Jong', over18: 'no', docnumber: 'Y1' },
  },
  { type: 'svc-demo.gov.registration', attributes: { number: '123456782', over18: 'no' } },
])

/** The members of the page that a site shows to its user. */
function shown(text: string): { readonly sub: string; readonly over18: boolean } {
  const { sub, over18, ...others } = JSON.parse(text)
  assert.equal(others, {})
  assert.match(sub, /^[\w-]{43}$/)
  return { sub, over18 }
}

for (const [name, strategy] of [
  ['openid-client', 0],
  ['passport-openidconnect', 1],
] as const)
  Sites(`Passport with ${name}: login with claims and sub, refusal, logout`, async () => {
    const { url, start } = sites.passport
    await withSvc(await start(passportSite(strategy)), async () => {
      const user = person()
      const first = shown((await user.answer(await user.get(url))).text)
      assert.is(first.over18, true)
      assert.equal(shown((await user.get(url)).text), first, 'the site knows its user')
      const away = await user.confirmLogout(await user.post(`${url}/logout`, {}))
      assert.is(away.text, 'You are logged out.')
      assert.equal(shown((await user.answer(await user.get(url))).text), first, 'the same sub at each login')
      const other = person()
      const refused = await other.answer(await other.get(url), 'refuse')
      assert.equal([refused.status, refused.text], [403, 'You did not log in.'])
      assert.ok((await other.get(url)).location?.startsWith(`${provider.address}/authorize?`))
    })
  })

/** The form of the sign-in page, or of the sign-out page, of Auth.js. */
async function submit(user: ReturnType<typeof person>, { url }: Site, path: string) {
  const { csrfToken } = JSON.parse((await user.get(`${url}/auth/csrf`)).text)
  return user.post(`${url}/auth/${path}`, { csrfToken, callbackUrl: url })
}

Sites('Auth.js: login with claims and sub, refusal, logout', async () => {
  const { url, start } = sites.auth
  await withSvc(await start(authSite), async () => {
    const user = person()
    const login = () => submit(user, sites.auth, 'signin/wallet')
    assert.match((await user.get(url)).text, /Sign in with Wallet/)
    const first = shown((await user.answer(await login())).text)
    assert.is(first.over18, true)
    await submit(user, sites.auth, 'signout')
    assert.match((await user.get(url)).text, /Sign in with Wallet/)
    assert.equal(shown((await user.answer(await login())).text), first, 'the same sub at each login')
    await submit(user, sites.auth, 'signout')
    const refused = await user.answer(await login(), 'refuse')
    assert.match(refused.text, /Sign in with Wallet/)
    assert.match((await user.get(url)).text, /Sign in with Wallet/)
  })
})

const apacheTest = isMissing('Apache with mod_auth_openidc', hasApache) ? Sites.skip : Sites
apacheTest('Apache with mod_auth_openidc: login with claims and sub, refusal, logout', async () => {
  const { url, start } = sites.apache
  const members = `${url}/members/`
  await withSvc(await start(apacheSite), async () => {
    const user = person()
    const first = (await user.answer(await user.get(members))).text
    assert.match(first, /^[\w-]{43} 1$/)
    const out = `${url}/members/callback?logout=${encodeURIComponent(`${url}/bye.html`)}`
    const away = await user.confirmLogout(await user.get(out))
    assert.is(away.text, 'You are logged out.')
    assert.is((await user.answer(await user.get(members))).text, first, 'the same sub at each login')
    const minor = personAt(provider, young)
    const denied = await minor.answer(await minor.get(members))
    assert.equal([denied.status, denied.text.includes('true')], [401, false])
    const other = person()
    const refused = await other.answer(await other.get(members), 'refuse')
    assert.is(refused.text, 'You did not log in.')
    assert.ok((await other.get(members)).location?.startsWith(`${provider.address}/authorize?`))
  })
})

Sites.run()
