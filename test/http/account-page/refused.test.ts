/** The calls that the account page refuses, and the facts that it reveals to no caller. @module */
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { ADDRESS, Browser, withPage } from './harness.ts'

const MINUTE = 60_000
const Refused = suite('account page: refusals')

/** The visible parts of an answer, for comparison with another. */
function shown({ status, text, headers }: { status: number; text: string; headers: object }): unknown {
  return [status, text, Object.keys(headers).sort()]
}

Refused('the answer is the same for an address that is known, unknown, not confirmed, or given again', () =>
  withPage(async ({ client, sent, settled, confirmed }) => {
    await confirmed()
    await client.call('POST', '/client/register', { body: { pin: 'pin', email: 'new@home.example' } })
    await settled()
    const before = sent.length
    const answers: unknown[] = []
    for (const address of [ADDRESS, 'nobody@home.example', 'new@home.example', ADDRESS]) {
      const browser = new Browser(client)
      await browser.get('/account/en/login')
      answers.push(shown(await browser.submit('/login', { address })))
      await settled()
    }
    for (const answer of answers) assert.equal(answer, answers[0])
    assert.equal([sent.length - before, sent.at(-1)?.to], [1, ADDRESS])
  }),
)

Refused('an invalid address is shown again, escaped and with an error', () =>
  withPage(async ({ client }) => {
    const browser = new Browser(client)
    await browser.get('/account/nl/login')
    const { status, text } = await browser.submit('/login', { address: '"><script>' })
    assert.is(status, 400)
    assert.match(text, 'Dit is geen e-mailadres.')
    assert.match(text, 'value="&#34;&#62;&#60;script&#62;" aria-describedby="refused" aria-invalid="true"')
    assert.not.match(text, '<script')
  }),
)

for (const purpose of ['login', 'confirm'] as const)
  Refused(`opening the link of purpose ${purpose} does not use it up; its button does, once`, () =>
    withPage(async ({ client, node, mailedPath, confirmed }) => {
      if (purpose === 'login') {
        await confirmed()
        await client.call('POST', '/account/en/login', { body: `address=${ADDRESS}` })
      } else await client.call('POST', '/client/register', { body: { pin: 'pin', email: ADDRESS } })
      const path = await mailedPath()
      assert.match(path, `/${purpose}/`)
      const browser = new Browser(client)
      for (const _ of [1, 2]) assert.is((await browser.get(path)).status, 200)
      assert.is((await client.call('HEAD', path)).status, 200)
      assert.equal(
        [browser.cookie, await node.store.accounts.withAddress(ADDRESS)],
        ['', purpose === 'login' ? await node.store.accounts.withAddress(ADDRESS) : []],
      )
      assert.is((await browser.submit(path)).status, 200)
      for (const again of [await browser.get(path), await browser.post(path, '')]) {
        assert.is(again.status, 403)
        assert.match(again.text, 'This link cannot be used')
      }
    }),
  )

Refused('a link works only for its own purpose', () =>
  withPage(async ({ client, mailedPath }) => {
    await client.call('POST', '/client/register', { body: { pin: 'pin', email: ADDRESS } })
    const path = await mailedPath()
    const browser = new Browser(client)
    assert.is((await browser.post(path.replace('/confirm/', '/login/'), '')).status, 403)
    assert.is(browser.cookie, '')
    assert.is((await browser.post(path, '')).status, 200)
    assert.is(browser.cookie, '')
  }),
)

Refused(
  'POST /verify confirms with the raw token (spec/keyshare-server#13.3): 204 once, then 403 INVALID_TOKEN',
  () =>
    withPage(async ({ client, node, mailedPath }) => {
      await client.call('POST', '/client/register', { body: { pin: 'pin', email: ADDRESS } })
      const token = (await mailedPath()).split('/').at(-1)
      const { status, text, headers } = await client.call('POST', '/verify', { body: token })
      assert.equal([status, text, headers['set-cookie']], [204, '', undefined])
      assert.is((await node.store.accounts.withAddress(ADDRESS)).length, 1)
      const again = await client.call('POST', '/verify', { body: token })
      assert.equal(
        [again.status, again.json],
        [
          403,
          {
            status: 403,
            error: 'INVALID_TOKEN',
            description: 'Provided token is unknown or invalid',
            message: 'Unknown email verification token',
          },
        ],
      )
    }),
)

Refused('a visit ends after 15 minutes, on every page of it', () =>
  withPage(async ({ clock, confirmed, loggedIn }) => {
    const { id } = await confirmed()
    const browser = await loggedIn()
    clock.advance(15 * MINUTE - 1)
    await browser.get(`/account/en/accounts/${id}`)
    assert.match(browser.page?.text ?? '', 'Your account')
    clock.advance(1)
    for (const path of ['', `accounts/${id}`, `accounts/${id}/delete`]) {
      await browser.get(`/account/en/${path}`)
      assert.match(browser.page?.text ?? '', 'Manage your account')
    }
  }),
)

/** Changes of the right cookie. */
const COOKIES: readonly (readonly [string, (cookie: string) => string])[] = [
  ['none', () => ''],
  ['another name', cookie => cookie.replace('account=', 'other=')],
  [
    'a letter changed',
    cookie => `${cookie.slice(0, 60)}${cookie[60] === 'A' ? 'B' : 'A'}${cookie.slice(61)}`,
  ],
  [
    'a letter changed at its start',
    cookie => cookie.replace(/=(.)/, (_, first) => (first === 'A' ? '=B' : '=A')),
  ],
  ['cut off', cookie => cookie.slice(0, 40)],
  ['empty', () => 'account='],
]
for (const [what, changed] of COOKIES)
  Refused(`a changed cookie (${what}) counts as no cookie`, () =>
    withPage(async ({ confirmed, loggedIn, node }) => {
      const { id } = await confirmed()
      const browser = await loggedIn()
      browser.cookie = changed(browser.cookie)
      await browser.get(`/account/en/accounts/${id}`)
      assert.match(browser.page?.text ?? '', 'Manage your account')
      await browser.post(`/account/en/accounts/${id}/delete`, 'understood=yes')
      assert.ok((await node.accounts.read(id))?.record)
    }),
  )

Refused('the sealed record of an account is not accepted as a cookie', () =>
  withPage(async ({ confirmed, loggedIn }) => {
    const { id, record } = await confirmed()
    const browser = await loggedIn()
    browser.cookie = `account=${Buffer.from(record ?? []).toString('base64url')}`
    await browser.get(`/account/en/accounts/${id}`)
    assert.match(browser.page?.text ?? '', 'Manage your account')
  }),
)

for (const path of ['delete', 'address'] as const)
  Refused(`a form without the token of this visit changes nothing: ${path}`, () =>
    withPage(async ({ node, sent, settled, confirmed, loggedIn }) => {
      const { id } = await confirmed()
      const browser = await loggedIn()
      const before = sent.length
      for (const form of ['', 'form=', 'form=xxxxxxxxxxxxxxxxxxxx&']) {
        const body = `${form}&understood=yes&address=other@home.example`
        assert.is((await browser.post(`/account/en/accounts/${id}/${path}`, body)).status, 400)
      }
      await settled()
      assert.equal([(await node.accounts.read(id))?.deleteAt, sent.length], [null, before])
    }),
  )

Refused('logging out needs the token of the visit, too', () =>
  withPage(async ({ confirmed, loggedIn }) => {
    await confirmed()
    const browser = await loggedIn()
    assert.is((await browser.post('/account/en/logout', '')).status, 400)
    assert.is.not(browser.cookie, '')
  }),
)

Refused('the account of another user is not found', () =>
  withPage(async ({ node, sent, settled, confirmed, loggedIn }) => {
    await confirmed()
    const other = await confirmed('other@home.example')
    const browser = await loggedIn()
    assert.is((await browser.get(`/account/en/accounts/${other.id}`)).status, 404)
    assert.is((await browser.get(`/account/en/accounts/${other.id}/delete`)).status, 404)
    await browser.get('/account/en/')
    const [, form = ''] = /name="form" value="(\w+)"/.exec(browser.page?.text ?? '') ?? []
    const before = sent.length
    for (const path of ['delete', 'address']) {
      const body = `form=${form}&understood=yes&address=third@home.example`
      assert.is((await browser.post(`/account/en/accounts/${other.id}/${path}`, body)).status, 404)
    }
    await settled()
    assert.equal([(await node.accounts.read(other.id))?.deleteAt, sent.length], [null, before])
  }),
)

Refused(
  'the page refuses the fourth link to one address within an hour, and an address that no mail can reach',
  () =>
    withPage(async ({ confirmed, loggedIn }) => {
      await confirmed()
      const browser = await loggedIn()
      for (const wanted of [200, 200, 200, 429])
        assert.is((await browser.submit('/address', { address: 'other@home.example' })).status, wanted)
      assert.match(browser.page?.text ?? '', 'Too many links were sent to this address.')
      assert.is((await browser.submit('/address', { address: 'nobody' })).status, 400)
      assert.match(browser.page?.text ?? '', 'No mail can reach this address.')
    }),
)

Refused('spaces around an address are removed, and a form without an address is refused', () =>
  withPage(async ({ client, sent, settled, confirmed, loggedIn }) => {
    await confirmed()
    const body = new URLSearchParams({ address: ` ${ADDRESS}\t` }).toString()
    assert.is((await client.call('POST', '/account/en/login', { body })).status, 200)
    await settled()
    assert.equal([sent.length, sent.at(-1)?.to], [2, ADDRESS])
    assert.is((await client.call('POST', '/account/en/login', { body: 'x=1' })).status, 400)
    const browser = await loggedIn()
    assert.is((await browser.submit('/address', { address: ' other@home.example ' })).status, 200)
    await settled()
    assert.is(sent.at(-1)?.to, 'other@home.example')
    await browser.get('/account/en/')
    const [, form = ''] = /name="form" value="(\w+)"/.exec(browser.page?.text ?? '') ?? []
    const action = /action="([^"]*\/address)#/.exec(browser.page?.text ?? '')?.[1] ?? ''
    assert.is((await browser.post(action, `form=${form}`)).status, 400)
  }),
)

Refused('an invalid page number of the log shows the first page', () =>
  withPage(async ({ confirmed, loggedIn, node, clock }) => {
    const { id } = await confirmed()
    for (let i = 0; i < 12; i++) {
      clock.advance(60_000)
      await node.accounts.turn(id, () => ({
        event: { type: 'app.requestedCommitments', version: 'v1' },
        commitment: { lastKey: 'a.b-0', hashedComms: null, sealedRandomizer: new Uint8Array(112) },
      }))
      await node.accounts.turn(id, () => ({ event: { type: 'app.requestedResponse', version: 'v1' } }))
    }
    const browser = await loggedIn()
    const shownBy = async (query: string): Promise<unknown> => {
      const { status, text } = await browser.get(`/account/en/accounts/${id}${query}`)
      return [status, [...text.matchAll(/<li><span>([^<]*)<.*?<\/time>/g)].map(([entry]) => entry)]
    }
    const first = await shownBy('')
    for (const page of ['0', '-1', '1', '1.5', 'x', '', '100001', '1e9', '2&page=3', 'Infinity'])
      assert.equal(await shownBy(`?page=${page}`), first, page)
    assert.is.not(JSON.stringify(await shownBy('?page=2')), JSON.stringify(first))
    assert.equal(await shownBy('?page=100000'), [200, []])
  }),
)

Refused.run()
