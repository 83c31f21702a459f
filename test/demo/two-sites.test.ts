/** The step of the tour with two sites of one OpenID provider, over HTTP. */
import { mkdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { stateOf, twoSites } from '../../demo/sign-in/two-sites.ts'
import { opened } from '../../server/closable.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { openBoth, signInAt, signInAtBoth, sitesNow } from './sign-in-at-both.ts'
import { OPTIONS, pageOf, startTestDemo } from './start.ts'

const Sites = suite('demo: the step with two sites of one provider')
const demo = await startTestDemo()
const page = pageOf(demo)
const isDone = async () => (await page.tour()).steps.some(step => step.step === 'sites' && step.isDone)

Sites('the provider and its sites start at the first click, and no second time', async () => {
  await page.complete('cards', [])
  assert.equal((await sitesNow(page)).sites, [])
  const both = await Promise.all([openBoth(page), openBoth(page)])
  const [first, second] = both.map(({ sites }) => sites)
  assert.equal(first, second)
  assert.equal(
    first?.map(({ name, claims }) => [name, claims]),
    [
      ['Wine Cellar', null],
      ['Night Cinema', null],
    ],
  )
})

Sites('after the login at one site the step is not done', async () => {
  const { sites } = await openBoth(page)
  const shared = await signInAt(page, sites[0]?.address ?? '')
  assert.equal(shared, ['Document number', 'Over 18'])
  const now = await sitesNow(page)
  assert.equal([now.isDone, now.sites[0]?.claims?.over18, now.sites[1]?.claims], [false, true, null])
  assert.is(await isDone(), false)
})

Sites('both sites learn over18 and a sub of their own, and nothing else', async () => {
  const { sites, isDone: isState } = await signInAtBoth(page)
  assert.is(isState, true)
  for (const { claims } of sites) assert.equal(Object.keys(claims ?? {}).toSorted(), ['over18', 'sub'])
  assert.is(new Set(sites.map(({ claims }) => claims?.sub)).size, 2)
  assert.is(await isDone(), true)
})

Sites('a second time each site knows the user again, by the same sub', async () => {
  const subs = async () => (await sitesNow(page)).sites.map(({ claims }) => claims?.sub)
  const before = await subs()
  assert.equal((await openBoth(page)).isDone, false)
  await signInAtBoth(page)
  assert.equal(await subs(), before)
})

Sites('the provider and the sites answer to their own names alone', async () => {
  const { sites } = await openBoth(page)
  const [{ address = '' } = {}] = sites
  const issuer = new URL(
    (await fetch(`${address}/login`, { redirect: 'manual' })).headers.get('Location') ?? '',
  )
  for (const called of [issuer.origin, ...sites.map(site => site.address)]) {
    assert.is(await statusOf(called, new URL(called).host), 200, called)
    assert.is(await statusOf(called, 'other.example'), 403, called)
  }
})

/** The status of the first page, or of the discovery document. */
function statusOf(address: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const path = '/.well-known/openid-configuration'
    request(`${address}${path}`, { headers: { host } }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

Sites('when the tour begins again, the logins are forgotten', async () => {
  await signInAtBoth(page)
  await page.call('/demo/tour/restart', 'POST')
  const { sites, isDone: isState } = await sitesNow(page)
  assert.equal([isState, await isDone(), sites.map(({ claims }) => claims)], [false, false, [null, null]])
})

Sites('a user under 18, or the same sub at both sites, does not complete the step', () => {
  const sites = ['one', 'two'].map(name => ({ name, address: '' }))
  const isDoneWith = (...claims: readonly object[]) =>
    stateOf(sites, new Map(sites.map(({ name }, i) => [name, { ...claims[i] }]))).isDone
  assert.is(isDoneWith({ over18: true, sub: 'a' }, { over18: true, sub: 'b' }), true)
  assert.is(isDoneWith({ over18: true, sub: 'a' }, { over18: false, sub: 'b' }), false)
  assert.is(isDoneWith({ over18: true, sub: 'a' }, { over18: true, sub: 'a' }), false)
})

Sites('after a start that failed, another click tries again', async () => {
  const dataDir = join(temporaryFolder(), 'later')
  const options = { ...OPTIONS, host: '127.0.0.1', address: demo.address.slice(0, -1), dataDir }
  const { whole: sites, close } = await opened(async onClose => twoSites(options, onClose))
  try {
    await sites.open()
    assert.unreachable()
  } catch (error) {
    assert.match(String(error), 'ENOENT')
  }
  assert.is(sites.issuer(), null)
  mkdirSync(dataDir)
  await sites.open()
  const issuer = sites.issuer() ?? ''
  assert.is((await fetch(`${issuer}/jwks`)).status, 200)
  await close()
  const isClosed = await fetch(`${issuer}/jwks`).then(
    () => false,
    () => true,
  )
  assert.is(isClosed, true)
})

Sites.after(() => demo.close())
Sites.run()
