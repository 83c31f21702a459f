/** Forms of the account page that other sites send (spec/decisions#account-page): refused before anything is read or changed. */
import * as assert from 'uvu/assert'
import { inTime } from '../../patience.ts'
import { suite } from '../../suite.ts'
import { ADDRESS, type PageOfTest, withPage } from './harness.ts'

const Foreign = suite('account page: forms of other sites')

type Headers = Readonly<Record<string, string>>

const FOREIGN: readonly (readonly [string, Headers])[] = [
  ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
  ['another name of the same site', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://shop.example' }],
  ['another site, in a browser that hides the origin', { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' }],
  ['a browser without Sec-Fetch-Site', { Origin: 'https://evil.example' }],
  ['a hidden origin without Sec-Fetch-Site', { Origin: 'null' }],
  ['another port', { Origin: 'https://keyshare.example:444' }],
  ['the name of the page in plain HTTP', { Origin: 'http://keyshare.example' }],
  ['a longer name', { Origin: 'https://keyshare.example.evil.example' }],
]

const OWN: readonly (readonly [string, Headers])[] = [
  ['the page', { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://keyshare.example' }],
  ['the page itself, with a hidden origin', { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }],
  ['no page', { 'Sec-Fetch-Site': 'none' }],
  ['the page itself, in a browser without Sec-Fetch-Site', { Origin: 'https://keyshare.example' }],
  ['the page itself, under the name of a node', { Origin: 'https://node-2.example', Host: 'node-2.example' }],
  ['an old browser', {}],
]

/** The path of a link that logs in. */
async function loginPath({ confirmed, client, mailedPath }: PageOfTest): Promise<string> {
  await confirmed()
  await client.call('POST', '/account/en/login', { body: `address=${ADDRESS}` })
  return mailedPath()
}

for (const [what, headers] of FOREIGN)
  Foreign(`a form of ${what} logs no user in, and does not use up the link`, () =>
    withPage(async page => {
      const path = await loginPath(page)
      const { status, headers: answered, text } = await page.client.call('POST', path, { headers, body: '' })
      assert.equal([status, answered['set-cookie']], [403, undefined])
      assert.match(text, 'This form came from another site')
      assert.is((await page.client.call('POST', path, { body: '' })).status, 303)
    }),
  )

for (const [what, headers] of OWN)
  Foreign(`a form of ${what} logs in`, () =>
    withPage(async page => {
      const path = await loginPath(page)
      const { status, headers: answered } = await page.client.call('POST', path, { headers, body: '' })
      assert.equal([status, answered['set-cookie']?.length], [303, 1])
    }),
  )

Foreign('every form of the page is refused to another site, in either language', () =>
  withPage(async ({ client, confirmed, loggedIn, node }) => {
    const { id } = await confirmed()
    const browser = await loggedIn()
    await browser.get('/account/en/')
    const [, form = ''] = /name="form" value="(\w+)"/.exec(browser.page?.text ?? '') ?? []
    const headers = { Cookie: browser.cookie, 'Sec-Fetch-Site': 'cross-site' }
    const body = `form=${form}&understood=yes&address=other@home.example`
    const paths = ['login', 'confirm/x', `accounts/${id}/address`, `accounts/${id}/delete`, 'logout']
    for (const language of ['en', 'nl'])
      for (const path of paths)
        assert.is((await client.call('POST', `/account/${language}/${path}`, { headers, body })).status, 403)
    assert.is((await node.accounts.read(id))?.deleteAt, null)
  }),
)

Foreign('another site may link to the page, and may confirm an address at /verify', () =>
  withPage(async ({ client, mailedPath }) => {
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://operator.example' }
    assert.is((await client.call('GET', '/account/en/login', { headers })).status, 200)
    await client.call('POST', '/client/register', { body: { pin: 'pin', email: ADDRESS } })
    const body = (await mailedPath()).split('/').at(-1)
    assert.is((await client.call('POST', '/verify', { headers, body })).status, 204)
  }),
)

for (const profile of ['svc', 'irma'])
  for (const path of ['/account/en/login', '/account/nl/logout', '/verify'])
    Foreign(`a form of more than 4 KiB is refused unread: ${path}, profile ${profile}`, () =>
      withPage(
        async ({ client }) => {
          const { request, answer } = client.begin('POST', path, { 'Content-Length': '4097' })
          request.flushHeaders() // no byte of the body is sent
          const { status, headers } = await inTime(answer, 'the refusal of a long form')
          assert.equal([status, headers.connection], [413, 'close'])
          request.destroy()
          const whole = await client.call('POST', path, { body: 'x'.repeat(4_096) })
          assert.is.not(whole.status, 413)
        },
        { profile },
      ),
    )

Foreign.run()
