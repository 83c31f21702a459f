/** Calls of a login that the browser repeats, because a node died before its answer arrived. Two nodes share a store. */
import * as assert from 'uvu/assert'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import type { OidcStore } from '../../../stores/oidc-store.ts'
import type { SessionServerStore } from '../../../stores/store.ts'
import { StoreError } from '../../../stores/store-error.ts'
import { withChanges } from '../../stores/with-changes.ts'
import { suite } from '../../suite.ts'
import { newWallet } from '../../wallet/demo-wallets.ts'
import type { Browser } from './browser.ts'
import {
  answered,
  BACK_OF_SHOP,
  type Begun,
  begun,
  browserOf,
  codeOf,
  pageOf,
  SECRETS,
  siteOf,
} from './login.ts'
import { ISSUER, type OidcOfTest, startProvider } from './node.ts'

type Commit = Parameters<SessionServerStore['commit']>[0]

type Fault = {
  next: 'before' | 'after' | null
  /** the kind of record whose commit fails */
  at: string
  beforeFind: (kind: string) => Promise<void>
  beforeCommit: (commit: Commit) => Promise<void>
  onCommit: (commit: Commit) => Promise<void>
}

/** A node that dies before or after a commit, from the view of its callers. */
async function twoNodes() {
  const store = createMemoryStore()
  const nothing = async (): Promise<void> => {}
  const hooks = { beforeFind: nothing, beforeCommit: nothing, onCommit: nothing }
  const fault: Fault = { next: null, at: '', ...hooks }
  const oidc: OidcStore = {
    async find(kind, id) {
      await fault.beforeFind(kind)
      return store.oidc.find(kind, id)
    },
    findByUid: (...uid) => store.oidc.findByUid(...uid),
    dropExpired: (...most) => store.oidc.dropExpired(...most),
    count: () => store.oidc.count(),
  }
  const dying = withChanges(store, {
    oidc,
    async commit(commit: Commit) {
      const isAt = commit.oidc?.changes?.some(({ kind }) => kind === fault.at) ?? false
      const next = isAt ? fault.next : null
      if (isAt) fault.next = null
      await fault.beforeCommit(commit)
      if (next === 'before') throw new StoreError('killed')
      const isCommitted = await store.commit(commit)
      await fault.onCommit(commit)
      if (next === 'after') throw new StoreError('killed')
      return isCommitted
    },
  })
  const [a, b] = await Promise.all(
    [dying, store].map(each => startProvider({}, { instead: { store: each } })),
  )
  assert.ok(a && b)
  return { fault, a, b, close: () => Promise.all([a.close(), b.close()]) }
}

type Disclosed = { readonly browser: Browser; readonly at: string; readonly asked: Begun }

/** A login whose wallet has answered. */
async function disclosed(provider: OidcOfTest): Promise<Disclosed> {
  const asked = await begun(await siteOf(provider, 'shop'))
  const browser = browserOf(provider)
  const { at } = await pageOf(browser, asked.url)
  await answered(provider, { wallet: await newWallet(), pointer: await codeOf(browser, at), browser, at })
  return { browser, at, asked }
}

async function finished({ browser, at }: Disclosed): Promise<string> {
  return JSON.parse((await browser.post(`${at}/finish`, {})).text).location
}

/** Calls a node with the cookies that the browser had before the answer that got lost. */
async function ask({ reach }: OidcOfTest, url: string, Cookie: string) {
  const { status, headers } = await reach(url, {
    headers: { Cookie, Accept: 'text/html' },
    redirect: 'manual',
  })
  return { status, to: headers.get('Location') ?? '', cookies: headers.getSetCookie() }
}

async function redeem({ reach }: OidcOfTest, code: string | null, { verifier }: Begun) {
  const form = { grant_type: 'authorization_code', redirect_uri: BACK_OF_SHOP, code_verifier: verifier }
  const basic = Buffer.from(`shop:${encodeURIComponent(SECRETS.shop)}`).toString('base64')
  const answer = await reach(`${ISSUER}/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${basic}` },
    body: new URLSearchParams({ ...form, code: code ?? '' }),
  })
  return { status: answer.status, error: Object(await answer.json()).error }
}

const codeIn = (address: string): string | null => new URL(address).searchParams.get('code')

const Repeated = suite('calls of a login that the browser repeats')

Repeated('repeated calls for the return to the site get one answer and one code, at every node', async () => {
  const { a, b, close } = await twoNodes()
  const login = await disclosed(a)
  const location = await finished(login)
  const cookies = login.browser.cookiesFor(location)
  const first = await ask(a, location, cookies)
  assert.ok(codeIn(first.to))
  for (const node of [a, b]) assert.equal(await ask(node, location, cookies), first)
  assert.is((await ask(b, location, '')).status, 400, 'another browser')
  assert.is((await redeem(b, codeIn(first.to), login.asked)).status, 200)
  assert.is((await redeem(a, codeIn(first.to), login.asked)).error, 'invalid_grant')
  await close()
})

Repeated('a browser that asks both nodes at the same time gets one code', async () => {
  const { fault, a, b, close } = await twoNodes()
  const login = await disclosed(a)
  const location = await finished(login)
  const cookies = login.browser.cookiesFor(location)
  const ofOther: string[] = []
  fault.beforeCommit = async ({ oidc }) => {
    const isReturn = oidc?.changes?.some(({ kind }) => kind === 'AuthorizationCode')
    if (isReturn && ofOther.length === 0) ofOther.push((await ask(b, location, cookies)).to)
  }
  const slower = await ask(a, location, cookies)
  assert.equal(slower.cookies, [])
  assert.is(new URL(slower.to, ISSUER).href, location)
  assert.equal([(await ask(a, location, cookies)).to], ofOther)
  assert.ok(codeIn(ofOther[0] ?? ''))
  await close()
})

Repeated(
  'if a browser ends its login at both nodes at once, one answers 503, and a repeat succeeds',
  async () => {
    const { fault, a, b, close } = await twoNodes()
    const { at, browser } = await disclosed(a)
    const sent = { 'Content-Type': 'application/json', Cookie: browser.cookiesFor(at) }
    const finish = async ({ reach }: OidcOfTest) => {
      const answer = await reach(`${at}/finish`, { method: 'POST', headers: sent, body: '{}' })
      return { status: answer.status, to: Object(await answer.json()).location }
    }
    const ofOther: unknown[] = []
    fault.beforeFind = async kind => {
      if (kind === 'Login' && ofOther.length === 0) {
        ofOther.push('begun')
        ofOther.push(await finish(b))
      }
    }
    assert.is((await finish(a)).status, 503)
    const again = await finish(a)
    assert.ok(again.to)
    assert.equal(ofOther, ['begun', again])
    await close()
  },
)

Repeated('a page that is loaded again after the end of its login redirects to the site', async () => {
  const { a, b, close } = await twoNodes()
  const login = await disclosed(a)
  const location = await finished(login)
  const again = await ask(b, login.at, login.browser.cookiesFor(login.at))
  assert.equal([again.status, again.to], [303, location])
  assert.is((await ask(b, login.at, '')).status, 404, 'another browser')
  await close()
})

Repeated('a login that has ended gets no further QR code, and its page redirects to the site', async () => {
  const { a, b, close } = await twoNodes()
  const login = await disclosed(a)
  const location = await finished(login)
  const refused = await login.browser.post(`${login.at}/session`, {})
  assert.is(refused.status, 403)
  assert.match(refused.text, /UNEXPECTED_REQUEST/)
  const page = await ask(b, login.at, login.browser.cookiesFor(login.at))
  assert.equal([page.status, page.to], [303, location])
  assert.ok(codeIn((await login.browser.follow(location)).location ?? ''))
  await close()
})

Repeated('a cancelled login gets no further QR code', async () => {
  const { a, close } = await twoNodes()
  const { browser, at } = await disclosed(a)
  const { location } = JSON.parse((await browser.post(`${at}/cancel`, {})).text)
  assert.is((await browser.post(`${at}/session`, {})).status, 403)
  const back = new URL((await browser.follow(location)).location ?? '')
  assert.is(back.searchParams.get('error'), 'access_denied')
  await close()
})

for (const [moment, status] of [
  ['before it has read the login', 403],
  ['before its commit', 503],
] as const)
  Repeated(`a tab that asks for a QR code gets none if another tab ends the login ${moment}`, async () => {
    const { fault, a, b, close } = await twoNodes()
    const login = await disclosed(a)
    const headers = {
      Cookie: login.browser.cookiesFor(login.at),
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
    }
    const ends: string[] = []
    const end = async (isAtLogin: boolean): Promise<void> => {
      if (!isAtLogin || ends.length > 0) return
      ends.push('begun')
      const ended = await b.reach(`${login.at}/finish`, { method: 'POST', headers, body: '{}' })
      ends.push(Object(await ended.json()).location)
    }
    if (status === 403) fault.beforeFind = kind => end(kind === 'Login')
    else fault.beforeCommit = ({ oidc }) => end(oidc?.changes?.some(({ kind }) => kind === 'Login') ?? false)
    assert.is((await login.browser.post(`${login.at}/session`, {})).status, status)
    assert.is((await login.browser.post(`${login.at}/session`, {})).status, 403)
    const { location } = await login.browser.follow(ends[1] ?? '')
    assert.ok(codeIn(location ?? ''))
    await close()
  })

Repeated('a repeat of the right pairing code is accepted after pairing, another code is not', async () => {
  const { b, close } = await twoNodes()
  const browser = browserOf(b)
  const { at } = await pageOf(browser, (await begun(await siteOf(b, 'shop'))).url)
  const answers: string[] = []
  const pairing = async (code: string): Promise<void> => {
    for (const typed of [code, code, code === '0000' ? '0001' : '0000'])
      answers.push((await browser.post(`${at}/pairing`, { code: typed })).text)
  }
  const pointer = await codeOf(browser, at)
  let typing: Promise<void> | null = null
  const { status } = await answered(b, {
    wallet: await newWallet(),
    pointer,
    browser,
    at,
    pairing: code => {
      typing = pairing(code)
    },
  })
  await typing
  assert.is(status, 'success')
  const right = JSON.stringify({ isRight: true, isOver: false })
  assert.equal(answers.slice(0, 2), [right, right])
  assert.match(answers[2] ?? '', /UNEXPECTED_REQUEST/)
  await close()
})

for (const when of ['before', 'after'] as const) {
  Repeated(`a node that dies ${when} it commits the return to the site loses no login`, async () => {
    const { fault, a, b, close } = await twoNodes()
    const login = await disclosed(a)
    const location = await finished(login)
    const cookies = login.browser.cookiesFor(location)
    Object.assign(fault, { next: when, at: 'AuthorizationCode' })
    assert.equal(await ask(a, location, cookies), { status: 503, to: '', cookies: [] })
    const { to } = await ask(b, location, cookies)
    assert.is((await redeem(a, codeIn(to), login.asked)).status, 200)
    await close()
  })

  Repeated(`a node that dies ${when} it commits the claims loses no login`, async () => {
    const { fault, a, close } = await twoNodes()
    const login = await disclosed(a)
    Object.assign(fault, { next: when, at: 'Login' })
    assert.is((await login.browser.post(`${login.at}/finish`, {})).status, 503)
    const { location } = await login.browser.follow(await finished(login))
    assert.ok(codeIn(location ?? ''))
    await close()
  })
}

for (const kind of ['AuthorizationCode', 'AccessToken'])
  Repeated(`a second use of a code ends both with invalid_grant: during the commit of ${kind}`, async () => {
    const { fault, a, b, close } = await twoNodes()
    const login = await disclosed(a)
    const { location } = await login.browser.follow(await finished(login))
    const code = codeIn(location ?? '')
    const second: unknown[] = []
    fault.onCommit = async ({ oidc }) => {
      if (second.length > 0 || oidc?.changes?.[0]?.kind !== kind) return
      second.push('begun')
      second.push((await redeem(b, code, login.asked)).error)
    }
    assert.equal(await redeem(a, code, login.asked), { status: 400, error: 'invalid_grant' })
    assert.equal(second, ['begun', 'invalid_grant'])
    await close()
  })

Repeated.run()
